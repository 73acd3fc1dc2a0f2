import { resolve } from 'node:path';
import type { ForgeKind } from '../../forge/index.ts';
import { command, commandGroup } from '../command.ts';
import {
  nonEmpty,
  choiceFlag,
  fileFlag,
  inputFlag,
  switchFlag,
  textFlag,
  valueFlag,
  valueFlagOr,
} from '../flag.ts';
import type { PostedDrift, Posted, ForgeContext } from '../../app/index.ts';
import { postDrift, postReport, usage, summarise } from '../../app/index.ts';
import type { Document } from '../../report/index.ts';
import { escapeText } from '../../report/index.ts';
import type { CommandRun } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { writeResult, tell } from '../result.ts';
import { selectionOf } from '../service-choice.ts';
import { assertNever } from '../../data/index.ts';
import { counted } from '../../text/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { RulewrightError } from '../../model/index.ts';
import type { OutputFlags } from '../flags.ts';
import { WEBHOOK_SHAPES } from '../../forge/index.ts';
import type { FlagsOf } from '../flag.ts';
import { PROJECT_FLAGS, RESULT_FLAGS, between } from '../flags.ts';

/** Flags of every command that talks to a forge. */
const FORGE_FLAGS = {
  name: textFlag('NAME', "The project's name in comments (default: its folder)"),
  config: PROJECT_FLAGS.config,
  ...RESULT_FLAGS,
};

/** The values of `FORGE_FLAGS`. */
type ForgeFlags = FlagsOf<typeof FORGE_FLAGS>;

const POSTING_FLAGS = {
  findings: inputFlag('FILE', 'JSON of validate, if no plan could be made'),
  pending: switchFlag('Only mark the posted comment as outdated'),
  subject: choiceFlag(['plan', 'apply'], 'Where FILE comes from, if it only reports a failure'),
  artifact: fileFlag('FILE', 'Also write the whole text to a file'),
  ...FORGE_FLAGS,
};

/** The values that `plan-comment` and `plan-note` share. */
type PostingFlags = FlagsOf<typeof POSTING_FLAGS>;

/** Flags of `plan-comment`. */
const PLAN_COMMENT_FLAGS = { pullRequest: requestNumber('pull request'), ...POSTING_FLAGS };

/** The values of `PLAN_COMMENT_FLAGS`. */
type PlanCommentFlags = FlagsOf<typeof PLAN_COMMENT_FLAGS>;

/** Flags of `plan-note`. */
const PLAN_NOTE_FLAGS = { mergeRequest: requestNumber('merge request'), ...POSTING_FLAGS };

/** The values of `PLAN_NOTE_FLAGS`. */
type PlanNoteFlags = FlagsOf<typeof PLAN_NOTE_FLAGS>;

/** Flags of `drift-issue`. */
const DRIFT_ISSUE_FLAGS = {
  label: valueFlagOr(nonEmpty, 'rulewright-drift', {
    placeholder: 'LABEL',
    brief: 'The label that marks the issues',
  }),
  webhook: choiceFlag(WEBHOOK_SHAPES, 'Notify RULEWRIGHT_WEBHOOK_URL when the state changes'),
  ...FORGE_FLAGS,
};

/** The values of `DRIFT_ISSUE_FLAGS`. */
type DriftIssueFlags = FlagsOf<typeof DRIFT_ISSUE_FLAGS>;

function requestNumber(request: string) {
  return valueFlag(between(1, 2 ** 31), 'N', `The ${request} (default: that of this run)`);
}

/** Returns what talking to a forge needs from the process. */
function forgeContext(context: CliContext, flags: OutputFlags): ForgeContext {
  return {
    env: context.env,
    signal: context.signal,
    clock: context.clock,
    onWait: (ms, reason) => {
      tell(context, flags, `waiting ${Math.ceil(ms / 1000)} s: ${escapeText(reason)}`);
    },
  };
}

/** Runs work that posts to a forge. An interruption ends it between two requests, or during one; what was posted by then stays. */
async function whilePosting<Posted>({ signal }: CliContext, post: () => Promise<Posted>): Promise<Posted> {
  try {
    return await post();
  } catch (error) {
    if (signal.aborted) {
      throw new RulewrightError('interrupted: a part may have been posted', {
        code: 'forge/interrupted',
        fault: 'user',
        hint: 'run it again: it brings what is there up to date',
        cause: error,
      });
    }
    throw error;
  }
}

/** Posts a result to the pull request of this run. */
const runPlanComment: CommandRun<PlanCommentFlags, [string?]> = (context, flags, file) =>
  post(context, flags, { forge: 'github', pullRequest: flags.pullRequest, file });

/** Posts a result to the merge request of this run. */
const runPlanNote: CommandRun<PlanNoteFlags, [string?]> = (context, flags, file) =>
  post(context, flags, { forge: 'gitlab', pullRequest: flags.mergeRequest, file });

/** What to post, and where. */
interface Posting {
  readonly forge: ForgeKind;
  readonly pullRequest: number | undefined;
  readonly file: string | undefined;
}

async function post(
  context: CliContext,
  flags: PostingFlags,
  { forge, pullRequest, file }: Posting,
): Promise<ExitCode> {
  const given = [file, flags.findings].filter((one) => one !== undefined);
  if (given.length + (flags.pending === true ? 1 : 0) !== 1) {
    throw usage(
      'expected one of FILE, --findings and --pending',
      'name the JSON of a plan: plan --out plan.json',
    );
  }
  const [path] = given;
  const posted = await whilePosting(context, () =>
    postReport({
      ...forgeContext(context, flags),
      forge,
      file: path === undefined ? null : resolve(context.cwd, path),
      selection: selectionOf(context, flags, []),
      name: flags.name,
      subject: flags.subject,
      pullRequest,
      artifact: flags.artifact,
    }),
  );
  await writeResult(context, flags, {
    document: () => postedDocument(postedText(posted)),
    json: () => ({ kind: 'posted', formatVersion: 1, result: posted }),
  });
  return EXIT.done;
}

function postedDocument(text: string): Document {
  return { title: 'Rulewright forge', summary: [[text]], body: [] };
}

function postedText(posted: Posted): string {
  switch (posted.kind) {
    case 'posted':
      return posted.writes === 0
        ? `#${posted.pullRequest} shows it already.`
        : `#${posted.pullRequest} shows it${posted.parts === 1 ? '' : `, in ${counted(posted.parts, 'part')}`}.`;
    case 'superseded':
      return `#${posted.pullRequest} shows the result for a newer commit, ${posted.sha.slice(0, 10)}; it stays.`;
    case 'outdated':
      return posted.marked
        ? `What #${posted.pullRequest} shows is marked as outdated.`
        : `#${posted.pullRequest} shows nothing that is outdated.`;
    case 'not-posted':
      return `Not posted: ${posted.reason}.${posted.summary ? ' The summary of the step has it.' : ''}`;
    default:
      return assertNever(posted);
  }
}

/** Brings the drift issue of a project up to date. */
function runDriftIssue(forge: ForgeKind): CommandRun<DriftIssueFlags, [string]> {
  return async (context, flags, file) => {
    const posted = await whilePosting(context, () =>
      postDrift({
        ...forgeContext(context, flags),
        forge,
        file: resolve(context.cwd, file),
        selection: selectionOf(context, flags, []),
        name: flags.name,
        label: flags.label,
        webhook: flags.webhook,
      }),
    );
    await writeResult(context, flags, {
      document: () => postedDocument(postedDriftText(posted)),
      json: () => ({ formatVersion: 1, ...posted }),
    });
    return EXIT.done;
  };
}

const CHANGES: Readonly<Record<Exclude<PostedDrift['change'], 'none'>, string>> = {
  opened: 'Opened the drift issue',
  changed: 'The drift has changed; updated the issue',
  closed: 'Drift is gone; closed the issue',
  reopened: 'Drift again; opened the issue again',
  superseded: 'The issue shows a later result; it stays',
};

const NOTHING: Readonly<Record<PostedDrift['finding'], string>> = {
  drifted: 'The same drift as before',
  clean: 'No drift',
  unknown: 'No drift in what could be read; something could not be read, so the issue stays open',
};

function postedDriftText({ change, finding, issue, webhook }: PostedDrift): string {
  const told = change === 'none' ? NOTHING[finding] : CHANGES[change];
  return `${told}${issue === null ? '' : `: ${issue}`}.${webhook === 'sent' ? ' Notified the webhook.' : ''}`;
}

/** Appends a result to the summary of the step. */
async function runStepSummary(context: CliContext, flags: ForgeFlags, file: string): Promise<ExitCode> {
  const done = await summarise({
    env: context.env,
    file: resolve(context.cwd, file),
    selection: selectionOf(context, flags, []),
    name: flags.name,
  });
  if (!done) {
    throw usage(
      'GITHUB_STEP_SUMMARY is not set',
      'GitHub Actions sets it; elsewhere, rulewright plan --format markdown (also apply, drift and validate) prints the same',
    );
  }
  await writeResult(context, flags, {
    document: () => postedDocument('The summary of the step shows it.'),
    json: () => ({ kind: 'posted', formatVersion: 1, result: { kind: 'summary' } }),
  });
  return EXIT.done;
}

const RESULT = {
  parse: nonEmpty,
  placeholder: 'FILE',
  brief: 'JSON of plan --out, or of --format json --output',
};

const NAMES = { github: 'GitHub', gitlab: 'GitLab' } as const;
const SHOW = 'Show a plan, or the result of an apply, on the';

/** Where to find a result that cannot be posted. */
const ELSEWHERE = {
  github: 'see the step summary instead',
  gitlab: 'see the log of the job instead',
} as const;

/** Returns the help and arguments that the commands of both forges share. */
function planComment(forge: ForgeKind) {
  const words = forge === 'github' ? 'rulewright github plan-comment' : 'rulewright gitlab plan-note';
  return {
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
  run: runPlanComment,
  flags: PLAN_COMMENT_FLAGS,
});

const planNoteCommand = command({
  ...planComment('gitlab'),
  run: runPlanNote,
  flags: PLAN_NOTE_FLAGS,
});

function driftIssue(forge: ForgeKind) {
  const issue = command({
    run: runDriftIssue(forge),
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
  return issue(`Keep one issue on ${NAMES[forge]} while live differs from the files`);
}

const summaryCommand = command({
  run: runStepSummary,
  text: `Appends a result to the file that GITHUB_STEP_SUMMARY names. Takes the JSON of
plan, apply, drift and validate. Needs no network.`,
  examples: [['rulewright github summary plan.json', 'what plan --out saved']],
  flags: FORGE_FLAGS,
  positional: { kind: 'tuple', file: 'read', parameters: [RESULT] },
});

/** `rulewright github`. */
export const githubCommands = commandGroup({
  routes: {
    planComment: planCommentCommand(`${SHOW} pull request`),
    driftIssue: driftIssue('github'),
    summary: summaryCommand('Show a result in the summary of the step'),
  },
});

/** `rulewright gitlab`. */
export const gitlabCommands = commandGroup({
  routes: { planNote: planNoteCommand(`${SHOW} merge request`), driftIssue: driftIssue('gitlab') },
});
