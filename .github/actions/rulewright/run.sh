#!/usr/bin/env bash
# One command of Rulewright as a step: runs it, keeps its results in a folder, and shows them in the summary of the
# step and on the pull request. Everything comes in through the environment (see action.yml).
set -euo pipefail

results="${RW_RESULTS:-}"
results="${results:-${RUNNER_TEMP:-/tmp}/rulewright}"
mkdir -p "$results"
results="$(cd "$results" && pwd)"
expect=""
if [ -n "${RW_EXPECT:-}" ]; then
  expect="$(realpath "$RW_EXPECT")"
fi

# A built checkout beside the action is what it runs; else the package.
built="$RW_ACTION_PATH/../../../dist/cli/main.js"
if [ -f "$built" ]; then
  cli=(node "$built")
else
  cli=(npx --yes "rulewright@${RW_VERSION:-latest}")
fi

cd "${RW_PROJECT:-.}"

service=()
if [ -n "${RW_EMULATOR_STATE:-}" ]; then
  service=(--emulator-state "$RW_EMULATOR_STATE")
fi
selection=()
while IFS= read -r target; do
  if [ -n "$target" ]; then
    selection+=(--target "$target")
  fi
done <<< "${RW_TARGET:-}"
named=()
if [ -n "${RW_NAME:-}" ]; then
  named=(--name "$RW_NAME")
fi

output() {
  printf '%s=%s\n' "$1" "$2" >> "${GITHUB_OUTPUT:-/dev/null}"
}

# Runs a command line and keeps its exit code: 2 is a result, not a failure.
code=0
run() {
  code=0
  "${cli[@]}" "$@" || code=$?
}

# Shows a result; that it could not be shown is said, and does not change how the step ends.
show() {
  if [ -f "$1" ] && [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    "${cli[@]}" github summary "$1" "${named[@]}" --quiet || echo "::warning::The summary of the step could not be written"
  fi
}
tell() {
  if [ "${RW_COMMENT:-true}" = true ] && [ -n "${GITHUB_TOKEN:-}" ]; then
    "${cli[@]}" github "$@" "${named[@]}" || echo "::warning::The result could not be posted: see the log of this step"
  fi
}

finish() {
  output exit-code "$1"
  output changed "$2"
  exit "$3"
}
output results "$results"

validate() {
  run validate --format json --output "$results/findings.json" --quiet
  local found=$code
  run validate --format github
  if [ "$found" != 0 ]; then
    show "$results/findings.json"
  fi
  code=$found
}

case "$RW_COMMAND" in
  validate)
    validate
    finish "$code" false "$code"
    ;;
  plan)
    validate
    if [ "$code" != 0 ]; then
      tell plan-comment --findings "$results/findings.json"
      finish "$code" false "$code"
    fi
    guards=()
    if [ -n "${RW_SETTINGS_FROM:-}" ]; then
      guards=(--settings-from "$RW_SETTINGS_FROM")
    fi
    run plan --exit-code --out "$results/plan.json" --format html --output "$results/plan.html" \
      "${guards[@]}" "${selection[@]}" "${service[@]}"
    output plan "$results/plan.json"
    output page "$results/plan.html"
    show "$results/plan.json"
    if [ -f "$results/plan.json" ]; then
      tell plan-comment "$results/plan.json"
    fi
    case "$code" in
      0) finish 0 false 0 ;;
      2) finish 2 true 0 ;;
      *) finish "$code" true "$code" ;;
    esac
    ;;
  apply)
    flags=()
    if [ -n "$expect" ]; then
      flags+=(--expect "$expect")
    fi
    while IFS= read -r kind; do
      if [ -n "$kind" ]; then
        flags+=(--allow "$kind")
      fi
    done <<< "${RW_ALLOW:-}"
    if [ "${RW_ONLY_STRENGTHENING:-false}" = true ]; then
      flags+=(--only-strengthening)
    fi
    run apply --yes --format json --output "$results/outcomes.json" "${flags[@]}" "${selection[@]}" "${service[@]}"
    show "$results/outcomes.json"
    if [ -f "$results/outcomes.json" ]; then
      tell plan-comment "$results/outcomes.json"
    fi
    changed=true
    if grep -q '"result": "nothing-to-do"' "$results/outcomes.json" 2> /dev/null; then
      changed=false
    fi
    finish "$code" "$changed" "$code"
    ;;
  drift)
    run drift --format json --output "$results/drift.json" "${selection[@]}" "${service[@]}"
    show "$results/drift.json"
    if [ -f "$results/drift.json" ]; then
      tell drift-issue "$results/drift.json"
    fi
    case "$code" in
      0) finish 0 false 0 ;;
      2) finish 2 true 0 ;;
      *) finish "$code" false "$code" ;;
    esac
    ;;
  *)
    echo "::error::The input command is validate, plan, apply or drift"
    finish 64 false 64
    ;;
esac
