#!/usr/bin/env bash
# Finds the plan that was reviewed with the pull request which brought a commit, and puts it into a folder. Needs the
# permissions `actions: read` and `pull-requests: read`.
set -euo pipefail

run_id="$(node "$RW_ACTION_PATH/find-run.mjs")"
gh run download "$run_id" --repo "$GITHUB_REPOSITORY" --name "$RW_ARTIFACT" --dir "$RW_REVIEWED"
test -f "$RW_REVIEWED/plan.json"
printf 'plan=%s\n' "$RW_REVIEWED/plan.json" >> "$GITHUB_OUTPUT"
