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
  if [ ! -f "$RW_EXPECT" ]; then
    echo "::error::The input expect names no file"
    exit 64
  fi
  expect="$(realpath "$RW_EXPECT")"
fi

# A built checkout beside the action is what it runs; else the package of the same release, so that the commit of the
# action says which code runs. That is installed in a folder of its own, without the tokens: neither an .npmrc nor a
# node_modules of the repository may decide which code gets them.
built="$RW_ACTION_PATH/../../../dist/cli/main.js"
if [ ! -f "$built" ]; then
  version="${RW_VERSION:-}"
  # The action could have been copied to a repository that has a package of its own. Ours is private until it is released.
  own='const { name, version, private: unreleased } = JSON.parse(fs.readFileSync(process.argv[1]));
    name === "rulewright" ? (unreleased ? "unreleased" : version) : ""'
  released="$(node -p "$own" "$RW_ACTION_PATH/../../../package.json" 2> /dev/null)" || released=""
  # Somebody else could register the name of a package that is in no registry yet, and would get the tokens: only an address is ours.
  if [ "$released" = unreleased ] && [[ "$version" != */* ]]; then
    echo "::error::Nothing is released at the commit of this action, so nothing is installed by name: give the input version the URL of a package of your own (docs/gitops.md, Before the first release)"
    exit 64
  fi
  version="${version:-$released}"
  if [ -z "$version" ]; then
    echo "::error::The action does not stand in its own repository, which would say the version of the package: give the input version"
    exit 64
  fi
  tools="$(mktemp -d "${RUNNER_TEMP:-/tmp}/rulewright-package-XXXXXX")"
  echo '{ "private": true }' > "$tools/package.json"
  (
    unset CLOUDFLARE_API_TOKEN GITHUB_TOKEN RULEWRIGHT_WEBHOOK_URL
    cd "$tools"
    npm install --ignore-scripts --no-audit --no-fund --loglevel=error "rulewright@$version"
  )
  built="$tools/node_modules/rulewright/dist/cli/main.js"
fi
cli=(node "$built")

cd "${RW_PROJECT:-.}" || {
  echo "::error::The input project names no folder of the checkout"
  exit 64
}

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
since=()
if [ -n "${RW_CHANGED_SINCE:-}" ]; then
  since=(--changed-since "$RW_CHANGED_SINCE")
  # What a forced push has dropped is no change of the new history, yet it is still live: only a look at every scope takes it back.
  ancestor=0
  if [ "$RW_COMMAND" = apply ]; then
    git merge-base --is-ancestor "$RW_CHANGED_SINCE" HEAD 2> /dev/null || ancestor=$?
  fi
  if [ "$ancestor" -eq 1 ]; then
    echo "::notice::changed-since is not in the history of HEAD, as after a forced push: every scope is looked at"
    since=()
  fi
fi
named=()
if [ -n "${RW_NAME:-}" ]; then
  named=(--name "$RW_NAME")
fi

output() {
  printf '%s=%s\n' "$1" "$2" >> "${GITHUB_OUTPUT:-/dev/null}"
}

# Runs a command line and prints what it says. The runner would obey a line of its output that looks like a command of
# a workflow, so it is told not to listen until a word that nobody can guess.
cli() {
  local word code=0
  word="$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
  echo "::stop-commands::$word"
  "${cli[@]}" "$@" 2>&1 || code=$?
  echo "::$word::"
  return "$code"
}

# Runs a command with its result as JSON and annotations, and keeps its exit code: 2 is a result, not a failure. Nothing
# of an earlier run is left, which could be taken for the result of this one.
code=0
run() {
  local name=$1
  shift
  rm -f "$results/$name.json" "$results/annotations.txt"
  code=0
  cli "$@" --report "json=$results/$name.json" --report "github=$results/annotations.txt" || code=$?
  # Annotations are made for the runner: text in them is escaped.
  if [ -f "$results/annotations.txt" ]; then
    cat "$results/annotations.txt"
    rm "$results/annotations.txt"
  fi
}

# Shows a result; that it could not be shown is said, and does not change how the step ends.
show() {
  if [ -f "$results/$1.json" ] && [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    cli github summary "$results/$1.json" "${named[@]}" --quiet || echo "::warning::The summary of the step could not be written"
  fi
}
tell() {
  if [ "${RW_COMMENT:-true}" = true ] && [ -n "${GITHUB_TOKEN:-}" ]; then
    cli github "$@" "${named[@]}" || echo "::warning::The result could not be posted: see the log of this step"
  fi
}

# Whether a result is what the command makes, and not why it failed.
is() {
  grep -q "^  \"kind\": \"$2\"" "$results/$1.json" 2> /dev/null
}

finish() {
  output exit-code "$1"
  output changed "$2"
  exit "$3"
}
output results "$results"

case "$RW_COMMAND" in
  validate)
    run findings validate
    if [ "$code" != 0 ]; then
      show findings
    fi
    finish "$code" false "$code"
    ;;
  plan)
    rm -f "$results/plan.json" "$results/plan.html" "$results/pull-request.json"
    # What the plan is made for, since its head may be that of several pull requests: reviewed-plan takes no other's.
    made_for='const { pull_request: pull } = JSON.parse(fs.readFileSync(process.argv[1]));
      pull && JSON.stringify({ number: pull.number, head: { sha: pull.head.sha }, base: { ref: pull.base.ref, sha: pull.base.sha } })'
    if [ -f "${GITHUB_EVENT_PATH:-}" ]; then
      node -p "$made_for" "$GITHUB_EVENT_PATH" > "$results/pull-request.json"
    fi
    run findings validate
    if [ "$code" != 0 ]; then
      show findings
      tell plan-comment "$results/findings.json"
      finish "$code" false "$code"
    fi
    # GitHub gives no secrets to pull requests of forks and of Dependabot, which is no fault of theirs. Any other run without a token fails.
    without=""
    if [ -z "${CLOUDFLARE_API_TOKEN:-}" ] && [ -z "${RW_EMULATOR_STATE:-}" ] && [ -f "${GITHUB_EVENT_PATH:-}" ]; then
      without="$(node -p 'const { pull_request: pull } = JSON.parse(fs.readFileSync(process.argv[1]));
        !pull ? "" : pull.head.repo?.full_name !== pull.base.repo.full_name ? "a fork" : pull.user?.login === "dependabot[bot]" ? "Dependabot" : ""' "$GITHUB_EVENT_PATH")"
    fi
    if [ -n "$without" ]; then
      # It is no plan that reviewed-plan could take.
      rm -f "$results/pull-request.json"
      way="read the changes, and push the branch to this repository"
      if [ "$without" = Dependabot ]; then
        way="store the reading token as a secret for Dependabot too, or push the branch again yourself"
      fi
      not_planned="The files are valid. What they would change is not known: the pull request comes from $without, and GitHub gives it no secrets. For the plan, $way."
      echo "::notice title=Not planned, no token::$not_planned"
      printf '### Rulewright plan\n\n**Not planned, no token.** %s\n' "$not_planned" >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
      finish 0 '' 0
    fi
    guards=()
    if [ -n "${RW_SETTINGS_FROM:-}" ]; then
      guards=(--settings-from "$RW_SETTINGS_FROM")
    fi
    checks=()
    if [ "${RW_PREFLIGHT:-false}" = true ]; then
      checks=(--preflight)
    fi
    while IFS= read -r log; do
      if [ -n "$log" ]; then
        checks+=(--replay "$log")
      fi
    done <<< "${RW_TRAFFIC:-}"
    run result plan --exit-code --out "$results/plan.json" --report "html=$results/plan.html" \
      "${guards[@]}" "${checks[@]}" "${since[@]}" "${selection[@]}" "${service[@]}"
    if [ -f "$results/plan.json" ]; then
      output plan "$results/plan.json"
      output page "$results/plan.html"
    fi
    show result
    tell plan-comment "$results/result.json"
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
    if [ -n "${RW_EXPECT_DRIFT:-}" ]; then
      flags+=(--expect-drift "$RW_EXPECT_DRIFT")
      if [ "${RW_UNMANAGED:-false}" = true ]; then
        flags+=(--unmanaged)
      fi
    fi
    while IFS= read -r kind; do
      if [ -n "$kind" ]; then
        flags+=(--allow "$kind")
      fi
    done <<< "${RW_ALLOW:-}"
    if [ "${RW_ONLY_STRENGTHENING:-false}" = true ]; then
      flags+=(--only-strengthening)
    fi
    if [ -n "${RW_UNTIL_WAVE:-}" ]; then
      flags+=(--until-wave "$RW_UNTIL_WAVE")
    fi
    while IFS= read -r host; do
      if [ -n "$host" ]; then
        flags+=(--allow-probe-host "$host")
      fi
    done <<< "${RW_ALLOW_PROBE_HOST:-}"
    # Beside the results: the folder of a runner goes with it.
    run outcomes apply --yes --journal "$results/journal.jsonl" --report "html=$results/outcomes.html" "${flags[@]}" "${since[@]}" "${selection[@]}" "${service[@]}"
    if [ -f "$results/outcomes.html" ]; then
      output page "$results/outcomes.html"
    fi
    show outcomes
    if [ -f "$results/outcomes.json" ]; then
      tell plan-comment "$results/outcomes.json" --subject apply
    fi
    changed=true
    if grep -q '"result": "nothing-to-do"' "$results/outcomes.json" 2> /dev/null; then
      changed=false
    fi
    finish "$code" "$changed" "$code"
    ;;
  drift)
    flags=()
    if [ "${RW_UNMANAGED:-false}" = true ]; then
      flags+=(--unmanaged)
    fi
    if [ -n "${RW_MAX_REQUESTS:-}" ]; then
      flags+=(--max-requests "$RW_MAX_REQUESTS")
    fi
    news=()
    if [ -n "${RW_WEBHOOK:-}" ]; then
      news=(--webhook "$RW_WEBHOOK")
      if [ "${RW_COMMENT:-true}" != true ] || [ -z "${GITHUB_TOKEN:-}" ]; then
        echo "::warning::Nobody is notified: the webhook goes with the issue, which needs comment and github-token"
      fi
    fi
    run drift drift --report "html=$results/drift.html" "${flags[@]}" "${selection[@]}" "${service[@]}"
    if [ -f "$results/drift.html" ]; then
      output page "$results/drift.html"
    fi
    show drift
    # Of a look that failed nothing follows for the issue.
    if is drift drift; then
      tell drift-issue "$results/drift.json" "${news[@]}"
    fi
    case "$code" in
      0) finish 0 false 0 ;;
      2) finish 2 true 0 ;;
      *) finish "$code" false "$code" ;;
    esac
    ;;
  import)
    # Only the files of the checkout change: it is up to the next step to open a pull request.
    if [ -z "${RW_EXPECT_DRIFT:-}" ]; then
      echo "::error::import needs the input expect-drift"
      finish 64 false 64
    fi
    flags=(--expect-drift "$RW_EXPECT_DRIFT")
    if [ "${RW_UNMANAGED:-false}" = true ]; then
      flags+=(--unmanaged)
    fi
    rm -f "$results/import.md"
    cli import "${flags[@]}" --format markdown --output "$results/import.md" "${service[@]}" || code=$?
    if [ -f "$results/import.md" ]; then
      output page "$results/import.md"
      cat "$results/import.md" >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
    fi
    case "$code" in
      # 2: something of live could not be written into files, and the result says what.
      0 | 2) finish "$code" true 0 ;;
      *) finish "$code" false "$code" ;;
    esac
    ;;
  *)
    echo "::error::The input command is validate, plan, apply, drift or import"
    finish 64 false 64
    ;;
esac
