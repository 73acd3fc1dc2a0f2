import type { AppEvent } from '../app/index.ts';
import { assertNever } from '../data/index.ts';
import type { Outcome } from '../model/index.ts';
import { scopeLabel } from '../model/index.ts';
import { someNames, counted, grouped, duration, wholeSecond } from '../text/index.ts';
import {
  FATE_WORDS,
  WAVE_WORDS,
  fateOf,
  momentText,
  notCheckedReasons,
  preflightSummary,
} from '../report/index.ts';

/** The events of one kind. */
export type Event<Kind extends AppEvent['kind']> = Extract<AppEvent, { readonly kind: Kind }>;

/** The shortest wait worth reporting, in milliseconds. */
const NOTICEABLE_MS = 10_000;

/** Describes the work ahead: `plan: about 6 requests`, and how long the service's limit makes them wait. */
export function estimateLine(
  work: string,
  { requests, uncached, leastWaitMs, limit }: Omit<Event<'estimate'>, 'kind' | 'work'>,
): string {
  const without = requests === uncached ? '' : ` with what is cached, ${grouped(uncached)} without`;
  const count = `${work}: about ${counted(requests, 'request')}${without}`;
  return leastWaitMs < NOTICEABLE_MS
    ? count
    : `${count}; with at most ${grouped(limit)} in 5 minutes they take at least ${atLeast(leastWaitMs)}`;
}

/** Formats a duration, rounded down because it is a lower bound. */
function atLeast(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  return minutes === 0 ? counted(Math.floor(ms / 1000), 'second') : counted(minutes, 'minute');
}

/** Describes the time left for the progress line: `, about 4 min left`; empty when less than 10 seconds are left. */
export function timeLeftText(leftMs: number): string {
  if (leftMs < NOTICEABLE_MS) {
    return '';
  }
  const seconds = Math.ceil(leftMs / 10_000) * 10;
  return seconds < 100 ? `, about ${seconds} s left` : `, about ${Math.round(seconds / 60)} min left`;
}

/** Describes one finished piece of work. */
export function doneLine(event: Event<'scope-read' | 'scope-checked' | 'step-ended'>): string {
  switch (event.kind) {
    case 'scope-read':
      return `${event.ok ? 'read' : 'could not read'} ${event.scope}`;
    case 'scope-checked':
      return `checked permissions in ${event.scope}`;
    case 'step-ended':
      return stepEndedLine(event.outcome);
    default:
      return assertNever(event);
  }
}

/** Describes what could not be kept for the next run, and the consequence. */
export function unkeptLine({ kind, problem }: Event<'not-remembered' | 'journal'>): string {
  return kind === 'journal'
    ? `${problem} The next run will say that this one did not finish.`
    : `${problem}, so the next run with --max-requests begins with the same scopes`;
}

/** Maximum number of scopes named in a line; more would hide what follows. */
const MAX_NAMED = 10;

/** Describes which scopes are planned because the files differ from a revision. */
export function changedSinceLine({ revision, changed, gone, total }: Event<'changed-since'>): string {
  const names = changed.map(({ scope, rulesets }) =>
    rulesets.length === 0 ? scope : `${scope} (${rulesets.join(', ')})`,
  );
  const named = names.length === 0 ? '' : `: ${someNames(names, MAX_NAMED)}`;
  const left = gone.length === 0 ? '' : `; no longer managed: ${someNames(gone, MAX_NAMED)}`;
  return `${changed.length} of ${counted(total, 'scope')} changed since ${revision}${named}${left}`;
}

/** Describes what a revision has merged that HEAD does not have. */
export function behindLine({ revision, planned, left }: Event<'behind'>): string {
  const parts = [
    ...(planned.length === 0
      ? []
      : [
          `the plan takes back what was merged for ${someNames(planned, MAX_NAMED)}, unless ${revision} is merged first`,
        ]),
    ...(left.length === 0 ? [] : [`what was merged for ${someNames(left, MAX_NAMED)} is not planned`]),
  ];
  return `${revision} has moved on since HEAD branched off: ${parts.join('; ')}`;
}

/** Describes which scopes the embedded service made because the files name them. */
export function scopesMadeLine({ scopes }: Event<'scopes-made'>): string {
  const made = someNames(scopes, MAX_NAMED);
  return scopes.length === 1
    ? `created ${made}, empty and on the Enterprise plan, which the embedded service did not have`
    : `created ${scopes.length} scopes, empty and on the Enterprise plan, which the embedded service did not have: ${made}`;
}

/** Warns of a scope that was made although its name may only be mistyped. */
export function slipLine({ scope, near }: Event<'scopes-made'>['slips'][number]): string {
  return `${scope} is new to the embedded service; did you mean ${near}?`;
}

/** Describes the result of the preflight; empty without one. */
export function preflightLines(preflight: Event<'preflight'>['preflight']): readonly string[] {
  return preflight.kind !== 'done' || preflight.steps.length === 0
    ? []
    : [
        preflightSummary(preflight.steps),
        ...notCheckedReasons(preflight.steps).map((reason) => `not checked: ${reason}`),
      ];
}

/** Describes how a step ended; a step that is still to be done was checked by a dry run. */
function stepEndedLine(outcome: Outcome): string {
  const fate = fateOf(outcome);
  return `${fate === 'to-do' ? 'checked' : FATE_WORDS[fate]} ${outcome.step}`;
}

/** Describes what the run waits for, and for how long it has gone on. */
export function waitingLine({ scope, what, state, waitedMs }: Event<'waiting'>): string {
  return `waiting for ${scopeLabel(scope)} ${what}: ${state}, ${Math.round(waitedMs / 1000)} s`;
}

/** Says that it is not known whether a scope may be written. */
export function notCheckedLine({ scope, what, reason }: Event<'not-checked'>): string {
  return `not checked: whether ${scopeLabel(scope)} ${what}: ${reason}`;
}

/** Says how far a wave has come. */
export function waveLine(
  event: Event<
    'wave-begun' | 'wave-resumed' | 'wave-unjudged' | 'soaking' | 'judging' | 'no-data-yet' | 'wave-ended'
  >,
): string {
  const wave = `wave ${event.wave}`;
  switch (event.kind) {
    case 'wave-begun':
      return `${wave} (${event.title}): writing ${counted(event.scopes, 'scope')}`;
    case 'wave-resumed':
      return `${wave} was written by an earlier run, ${momentText(wholeSecond(event.at))}, and not found well yet: going on there`;
    case 'wave-unjudged':
      return `${wave} has nothing to write, and there is no record that it was well: looking at it before the next one`;
    case 'soaking':
      return `${wave} is written: waiting ${duration(Math.ceil(event.ms / 1000))}, until ${momentText(wholeSecond(event.until))}`;
    case 'judging':
      return `${wave}: looking at its health${event.until === null ? '' : `, until ${momentText(wholeSecond(event.until))} at least`}`;
    case 'no-data-yet': {
      const [again, until] = [event.again, event.until].map((time) => momentText(wholeSecond(time)));
      return `${wave}: not known to be well yet (${event.why}): looking again at ${again}, until ${until} at most`;
    }
    case 'wave-ended':
      return `${wave}: ${WAVE_WORDS[event.state]}`;
    default:
      return assertNever(event);
  }
}
