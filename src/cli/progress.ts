import { CREDENTIAL_ERRORS } from '../app/index.ts';
import type { AppEvent, OnEvent } from '../app/index.ts';
import { assertNever } from '../data/index.ts';
import { isFailure, isUnchecked, scopeLabel } from '../model/index.ts';
import { counted } from '../text/index.ts';
import type { CliContext } from './context.ts';
import type { OutputFlags } from './flags.ts';
import type { Event } from './progress-lines.ts';
import {
  behindLine,
  changedSinceLine,
  doneLine,
  estimateLine,
  preflightLines,
  scopesMadeLine,
  slipLine,
  unkeptLine,
  notCheckedLine,
  waitingLine,
  waveLine,
} from './progress-lines.ts';
import type { Screen } from './screen.ts';
import { appending, rewriting } from './screen.ts';
import { traceLine, waitLine } from './trace-line.ts';

/** The words for comparing files with live, in messages about progress. */
export interface ComparingWords {
  readonly work: string;
  readonly doing: string;
  readonly done: string;
  readonly failed: string;
}

const PLANNING: ComparingWords = {
  work: 'plan',
  doing: 'planning',
  done: 'planned',
  failed: 'could not plan',
};

/**
 * Runs a use case and shows its progress on stderr: in one line that is rewritten if stderr is a terminal, else in a line every few seconds.
 * `--quiet` shows nothing, `--verbose` shows each thing done and every request as well.
 */
export async function startProgress<Result>(
  context: CliContext,
  flags: OutputFlags,
  work: (report: OnEvent) => Promise<Result>,
  words: ComparingWords = PLANNING,
): Promise<Result> {
  const screen =
    flags.quiet === true
      ? null
      : context.stderr.isTTY
        ? rewriting(context.stderr)
        : appending(context, flags.verbose === true);
  try {
    return await work((event) => {
      context.session.report(event);
      show(event, { context, flags, screen, words });
    });
  } finally {
    screen?.end();
  }
}

/** Runs work that counts what it has done, and shows the count if stderr is a terminal. */
export async function startCounting<Result>(
  { stderr }: CliContext,
  flags: OutputFlags,
  verb: string,
  work: (report: (done: number, total: number) => void) => Promise<Result>,
): Promise<Result> {
  const screen = flags.quiet === true || !stderr.isTTY ? null : rewriting(stderr);
  try {
    return await work((done, total) => screen?.now(`${verb} ${done} of ${total}`));
  } finally {
    screen?.end();
  }
}

/** Whether an event was not shown yet. A deprecated call is shown once for each command, however many clients it opens. */
function isNews({ session }: CliContext, event: Event<'client'>['event']): boolean {
  return event.kind !== 'deprecated' || session.isNews(`${event.method} ${event.route}`);
}

interface Shown {
  readonly context: CliContext;
  readonly flags: OutputFlags;
  readonly screen: Screen | null;
  readonly words: ComparingWords;
}

function show(event: AppEvent, shown: Shown): void {
  const { screen, words } = shown;
  switch (event.kind) {
    case 'estimate':
      screen?.say(estimateLine(event.work === 'plan' ? words.work : event.work, event));
      return;
    case 'preflight':
      preflightLines(event.preflight).forEach((text) => screen?.say(text));
      return;
    case 'changed-since':
      screen?.say(changedSinceLine(event));
      return;
    case 'behind':
      screen?.say(behindLine(event));
      return;
    case 'all-changed':
      screen?.say(`${words.doing} every scope, whatever changed since ${event.revision}: ${event.reason}`);
      return;
    case 'scopes':
      screen?.now('reading live state');
      return;
    case 'scope-planned':
      showPlanned(event, shown);
      return;
    case 'scope-read':
      screen?.did(doneLine(event), { ...event, failed: !event.ok });
      return;
    case 'scope-checked':
      screen?.did(doneLine(event), event);
      return;
    case 'step-ended':
      screen?.did(doneLine(event), { ...event, failed: isFailure(event.outcome) });
      return;
    case 'scopes-made':
      screen?.say(scopesMadeLine(event));
      event.slips.forEach((slip) => warn(shown, slipLine(slip)));
      return;
    case 'cache-asked':
      return;
    case 'cache':
      // Planning and applying each open the service, so a problem may be reported twice.
      if (shown.context.session.isNews(event.problem)) {
        screen?.say(`cache: ${event.problem}`);
      }
      return;
    case 'not-remembered':
    case 'journal':
      warn(shown, unkeptLine(event));
      return;
    case 'step-started':
      screen?.now(`writing ${event.step}`);
      return;
    case 'rolling-back':
      screen?.say(`the run failed: ${counted(event.rulesets, 'ruleset')} to put back`);
      return;
    case 'wave-begun':
    case 'wave-resumed':
    case 'wave-unjudged':
    case 'soaking':
    case 'judging':
    case 'no-data-yet':
    case 'wave-ended':
      screen?.say(waveLine(event));
      return;
    case 'waiting':
      showWaiting(event, shown);
      return;
    case 'not-checked':
      screen?.say(notCheckedLine(event));
      return;
    case 'client':
      showClient(event, shown);
      return;
    default:
      assertNever(event);
  }
}

function showPlanned({ plan, ...at }: Event<'scope-planned'>, { screen, words }: Shown): void {
  if (plan.kind === 'failed' && (isUnchecked(plan) || CREDENTIAL_ERRORS.has(plan.error.code))) {
    // Nothing was tried, and the result says once why.
    return;
  }
  const failed = plan.kind === 'failed';
  screen?.did(`${failed ? words.failed : words.done} ${scopeLabel(plan.scope)}`, { ...at, failed });
}

/** Shows that the run still waits. In a log, which is not rewritten, one line a minute shows that the run is alive. */
function showWaiting(event: Event<'waiting'>, { context, screen }: Shown): void {
  const text = waitingLine(event);
  if (event.isNewMinute && !context.stderr.isTTY) {
    screen?.say(text);
  } else {
    screen?.now(text);
  }
}

function showClient({ event }: Event<'client'>, shown: Shown): void {
  const { context, flags, screen } = shown;
  const text = flags.verbose === true ? traceLine(event) : screen === null ? null : waitLine(event);
  if (text !== null && isNews(context, event)) {
    warn(shown, text);
  }
}

/** Shows a message even without progress output. */
function warn({ context, screen }: Shown, text: string): void {
  (screen ?? appending(context, false)).say(text);
}
