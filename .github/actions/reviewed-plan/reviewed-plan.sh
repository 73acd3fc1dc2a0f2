#!/usr/bin/env bash
# Puts the plan that was reviewed with a pull request into a folder. Needs the permissions `actions: read` and
# `pull-requests: read`.
set -euo pipefail

rm -rf "$RW_REVIEWED"
mkdir -p "$RW_REVIEWED"
node "$RW_ACTION_PATH/find-plan.mjs"
# Nothing else that an artifact may hold is taken out of it. A run that could not plan leaves one without a plan.
if ! unzip -q "$RW_REVIEWED/artifact.zip" plan.json -d "$RW_REVIEWED"; then
  echo "::error title=No reviewed plan::The artifact $RW_ARTIFACT holds no plan.json: planning had failed" >&2
  exit 3
fi
printf 'plan=%s\n' "$RW_REVIEWED/plan.json" >> "$GITHUB_OUTPUT"
