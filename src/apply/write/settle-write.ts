import type { ServiceError } from '../../api/index.ts';
import { isNotFound, orElse } from '../../api/index.ts';
import type { LiveRuleset } from '../../model/index.ts';
import type { Write } from '../../plan/index.ts';
import { isAtBase } from '../../model/index.ts';
import { lookUp } from '../base/look-up.ts';
import { STALE_HINT, differenceSince } from '../base/check-bases.ts';
import type { WriteFailure } from './write-failure.ts';
import { failureOf, inDoubt } from './write-failure.ts';
import { conflictHint, conflictText } from './conflict.ts';
import type { LandedWrite, MissingWrite } from './judge-write.ts';
import { findWrite, judgeAnswer } from './judge-write.ts';
import type { WriteTask } from './scope-run.ts';
import { refusalsOf } from './refusals.ts';
import { ATTEMPTS, mayComeLate } from './send-write.ts';
import type { Failing } from './send-write.ts';
import { baseNow } from './scope-run.ts';

/** Message for a write without an answer that live does not show. */
export const NOT_SHOWN = 'Live does not show it, but it may still land.';

/** Returns the message for a write that failed and was refused when it was sent again, perhaps because the first one was done. */
function refusedAgain({ message }: ServiceError): string {
  return `Sent again, it was refused: ${message.replace(/\.$/, '')}. Live does not show it, but it may have landed.`;
}

/** Returns the message for a write whose effect is unknown because live cannot be read. */
export function notReadable(error: ServiceError): string {
  return `Live could not be read to find out: ${error.message}`;
}

/** Determines the result of a write that the service answered. */
export function settleAnswer(
  task: WriteTask,
  answer: LiveRuleset | null,
): Promise<LandedWrite | WriteFailure> {
  return orElse(judgeAndLook(task, answer), (error): WriteFailure => ({
    ...failureOf(error),
    message: `The service took the write, but live could not be read after it: ${error.message}`,
    effect: { kind: 'landed', version: null },
  }));
}

async function judgeAndLook(
  task: WriteTask,
  answer: LiveRuleset | null,
): Promise<LandedWrite | WriteFailure> {
  // The answer to a deleted rule may have an empty body (api.md 2.1 row 12).
  const isSilent = answer === null && task.write.kind !== 'delete-ruleset';
  const isAbout = answer === null || (await isAnswerTo(task, answer));
  const judged = isAbout ? await judgeAnswer(task, isSilent ? await lookNow(task) : answer) : null;
  if (judged !== null && judged.kind !== 'failed') {
    return judged;
  }
  // An answer that omits something, or is about another ruleset, proves nothing about live.
  const found = await findWrite(task, await lookNow(task));
  return found.kind === 'missing' ? (judged ?? misdirected(answer, found.why)) : found;
}

/** Whether an answer is about the ruleset that was written, at a version that it has: its id is used in the requests that follow. */
async function isAnswerTo(task: WriteTask, answer: LiveRuleset): Promise<boolean> {
  const { write, step } = task;
  const { level, phase, name } = step.target;
  const isTarget =
    answer.kind === level &&
    answer.phase === phase &&
    (level !== 'custom' || answer.name === name) &&
    (write.kind === 'create-ruleset' || answer.id === write.id);
  const version = BigInt(answer.version);
  // The version that the write makes if nobody else writes meanwhile.
  const least = BigInt(task.before?.version ?? '0') + 1n;
  if (!isTarget || version <= least) {
    return isTarget && version === least;
  }
  const live = await lookNow(task);
  return live !== null && live.id === answer.id && BigInt(live.version) >= version;
}

function misdirected(answer: LiveRuleset | null, why: string): WriteFailure {
  return {
    kind: 'failed',
    code: 'apply/unexpected-result',
    message: `the service took the write, but its answer is about something else, version ${answer?.version} of ruleset ${answer?.id}; ${why}`,
    hint: 'nothing more was written to this ruleset; plan again to see what is left to do',
    effect: { kind: 'landed', version: null },
  };
}

/**
 * Finds out what a failed write did; `repeat`: nothing, and it can be sent again. Looks a second time for a write that may have been done all the
 * same; one that may still land is in doubt after that.
 */
export async function settleFailure(
  task: WriteTask,
  failing: Failing,
): Promise<LandedWrite | WriteFailure | 'repeat'> {
  const { error, count, lost } = failing;
  const first = await look(task);
  const isUnmoved = first.kind === 'base';
  if (isUnmoved && error.effect === 'unknown' && mayRepeat(task.write, error) && count < ATTEMPTS) {
    return 'repeat';
  }
  const isFound = first.kind === 'moved' && first.found.kind !== 'missing';
  // A write may have been done although the service failed on it, and a read right after it may show an older state.
  const mayBeDone = lost !== null || (isUnmoved && (error.effect === 'unknown' || count > 1));
  const again = !mayBeDone || isFound || first.kind === 'unreadable' ? first : await look(task);
  return verdict(task, failing, again.kind === 'unreadable' ? first : again);
}

/** What live shows of a write. */
type Seen =
  /** Live is as it was before the write. */
  | { readonly kind: 'base' }
  | {
      readonly kind: 'moved';
      readonly live: LiveRuleset | null;
      readonly found: LandedWrite | WriteFailure | MissingWrite;
    }
  | { readonly kind: 'unreadable'; readonly error: ServiceError };

function look(task: WriteTask): Promise<Seen> {
  return orElse(lookAndFind(task), (error) => ({ kind: 'unreadable', error }) as const);
}

async function lookAndFind(task: WriteTask): Promise<Seen> {
  const live = await lookNow(task);
  return isAtBase(live, baseNow(task))
    ? { kind: 'base' }
    : { kind: 'moved', live, found: await findWrite(task, live) };
}

/** Whether the service judged the write itself; other failures have a single message, which says nothing about rules. */
function wasJudged({ code, effect }: ServiceError): boolean {
  return code === 'api/refused' && effect === 'none';
}

function verdict(
  task: WriteTask,
  { first, error, count, lost }: Failing,
  seen: Seen,
): LandedWrite | WriteFailure {
  const { write, step, before } = task;
  const refused = failureOf(error, wasJudged(error) ? refusalsOf(error, write, { step, live: before }) : []);
  if (seen.kind === 'base') {
    const isRefusedAgain = first.effect === 'unknown' && (wasJudged(error) || isNotFound(error));
    return lost !== null
      ? inDoubt(lost, NOT_SHOWN)
      : isRefusedAgain
        ? inDoubt(first, refusedAgain(error))
        : refused;
  }
  if (seen.kind === 'unreadable') {
    return error.effect === 'none' && lost === null
      ? refused
      : inDoubt(lost ?? error, notReadable(seen.error));
  }
  const { live, found } = seen;
  if (found.kind === 'missing') {
    return lost !== null && couldLandOn(write, live)
      ? besideOthers(task, found)
      : stale(task, live, error.effect === 'none' ? MOVED + error.message : UNANSWERED + found.why);
  }
  // An earlier attempt that seemed to have done nothing may have taken effect late, and a write that arrives twice is refused the second time.
  const gone = isNotFound(error) && (write.kind === 'delete-rule' || write.kind === 'delete-ruleset');
  const mayBeOurs = error.effect === 'unknown' || count > 1 || gone;
  return found.kind === 'landed' || mayBeOurs ? found : stale(task, live, MOVED + error.message);
}

const MOVED = 'live moved while it was being written: ';
const UNANSWERED = 'no answer came to the write, and ';

/**
 * Whether a write may be sent again. The service accepts several custom rulesets of one name, and a creation that a gateway lost sight of may still
 * happen, so it is repeated only when the answer came from the service itself.
 */
function mayRepeat(write: Write, error: ServiceError): boolean {
  return write.kind !== 'create-ruleset' || write.target.level !== 'custom' || !mayComeLate(error);
}

/** Whether the service would still take a write on the present live ruleset. */
function couldLandOn(write: Write, live: LiveRuleset | null): boolean {
  return write.kind === 'create-ruleset' ? live === null || write.target.level === 'custom' : live !== null;
}

/** Returns the conflict when somebody else wrote, and our unanswered write may still land on top of that. */
function besideOthers({ run, step }: WriteTask, { why, history }: MissingWrite): WriteFailure {
  return {
    kind: 'conflict',
    message: `${UNANSWERED}${why}; it may still land. Meanwhile ${conflictText(history)}`,
    hint: conflictHint({ scope: run.scope, target: step.target, history }),
    others: history.others,
    unread: history.unread,
    effect: { kind: 'in-doubt' },
  };
}

/** Returns the refusal when our write did nothing, and live has moved from its base. */
function stale({ step, before }: WriteTask, live: LiveRuleset | null, message: string): WriteFailure {
  return {
    kind: 'refused',
    code: 'apply/stale',
    message,
    hint: STALE_HINT,
    difference: differenceSince(step, before, live),
  };
}

function lookNow(task: WriteTask): Promise<LiveRuleset | null> {
  return lookUp(task.reader, task.run.scope, task.step.target, baseNow(task));
}
