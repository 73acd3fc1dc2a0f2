import type { ForgeKind } from '../../forge/index.ts';
import { command, commandGroup } from '../command.ts';
import { nonEmpty } from '../flag.ts';
import { FORGE_FLAGS, PLAN_COMMENT_FLAGS, PLAN_NOTE_FLAGS, DRIFT_ISSUE_FLAGS } from '../flags/forge.ts';

const RESULT = {
  parse: nonEmpty,
  placeholder: 'FILE',
  brief: 'JSON of plan --out, or of --format json --output',
};

const NAMES = { github: 'GitHub', gitlab: 'GitLab' } as const;
const REQUEST = { github: 'pull request', gitlab: 'merge request' } as const;

/** Where to find a result that cannot be posted. */
const ELSEWHERE = {
  github: 'see the step summary instead',
  gitlab: 'see the log of the job instead',
} as const;

/** Returns the help and arguments that the commands of both forges share. */
function planComment(forge: ForgeKind) {
  const words = forge === 'github' ? 'rulewright github plan-comment' : 'rulewright gitlab plan-note';
  return {
    brief: `Show a plan, or the result of an apply, on the ${REQUEST[forge]}`,
    text: `Writes one comment for each project and updates it in place. A text that is too
long is split into numbered parts. Takes the JSON of plan, apply and validate. A
result for an older commit never replaces that of a newer one. For a fork
nothing is posted; ${ELSEWHERE[forge]}. The token comes from ${
      forge === 'github' ? 'GITHUB_TOKEN' : 'GITLAB_TOKEN'
    }.`,
    examples: [
      [`${words} plan.json`, 'what plan --out saved'],
      [`${words} outcomes.json`, 'what apply --format json printed'],
      [`${words} --findings findings.json`, 'what validate --format json printed'],
      [`${words} --pending`, 'before a new plan is made'],
    ],
    positional: { kind: 'tuple', file: 'read', parameters: [{ ...RESULT, optional: true }] },
  } as const;
}

const planCommentCommand = command({
  ...planComment('github'),
  run: async () => (await import('../run/post/plan-comment.ts')).runPlanComment,
  flags: PLAN_COMMENT_FLAGS,
});

const planNoteCommand = command({
  ...planComment('gitlab'),
  run: async () => (await import('../run/post/plan-comment.ts')).runPlanNote,
  flags: PLAN_NOTE_FLAGS,
});

function driftIssue(forge: ForgeKind) {
  return command({
    run: async () => (await import('../run/post/drift-issue.ts')).runDriftIssue(forge),
    brief: `Keep one issue on ${NAMES[forge]} while live differs from the files`,
    text: `Opens one issue for each project when there is drift, updates it in place,
closes it when the drift is gone, and opens it again for new drift. If a scope
could not be read, the issue is not closed.`,
    examples: [
      [`rulewright ${forge} drift-issue drift.json`, 'what drift --format json printed'],
      [`rulewright ${forge} drift-issue drift.json --webhook slack`, 'and notify a channel'],
    ],
    flags: DRIFT_ISSUE_FLAGS,
    positional: {
      kind: 'tuple',
      file: 'read',
      parameters: [{ ...RESULT, brief: 'JSON of drift --format json' }],
    },
  });
}

const summaryCommand = command({
  run: async () => (await import('../run/post/step-summary.ts')).runStepSummary,
  brief: 'Show a result in the summary of the step',
  text: `Appends a result to the file that GITHUB_STEP_SUMMARY names. Takes the JSON of
plan, apply, drift and validate. Needs no network.`,
  examples: [['rulewright github summary plan.json', 'what plan --out saved']],
  flags: FORGE_FLAGS,
  positional: { kind: 'tuple', file: 'read', parameters: [RESULT] },
});

/** `rulewright github`. */
export const githubCommands = commandGroup({
  brief: 'Write to pull requests and issues on GitHub',
  routes: {
    planComment: planCommentCommand,
    driftIssue: driftIssue('github'),
    summary: summaryCommand,
  },
});

/** `rulewright gitlab`. */
export const gitlabCommands = commandGroup({
  brief: 'Write to merge requests and issues on GitLab',
  routes: { planNote: planNoteCommand, driftIssue: driftIssue('gitlab') },
});
