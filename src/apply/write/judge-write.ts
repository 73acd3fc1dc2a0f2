import type { NormalisedRule, LiveRuleset } from '../../model/index.ts';
import { stayingOf } from '../../model/index.ts';
import type { Expectation } from '../../plan/index.ts';
import { describeDeviation, deviations, expectAfter, normalisedRules } from '../../plan/index.ts';
import type { WriteFailure } from './write-failure.ts';
import type { History } from './concurrent-edits.ts';
import { readHistory } from './concurrent-edits.ts';
import { PLAN_AGAIN, conflictHint, conflictText } from './conflict.ts';
import type { WriteTask } from './scope-run.ts';

/** A write that took effect, and the ruleset after it (null: deleted). */
export interface LandedWrite {
  readonly kind: 'landed';
  readonly ruleset: LiveRuleset | null;
  /** Where the ruleset is from: the answer to the write, or live, where somebody else's equal write looks the same. */
  readonly from: 'answer' | 'live';
  readonly normalised: readonly NormalisedRule[];
}

/** Live has moved from the base of a write, and none of the versions since is known to be the write's work. */
export interface MissingWrite {
  readonly kind: 'missing';
  /** Why the versions since do not seem to be the work of the write. */
  readonly why: string;
  readonly history: History;
}

const NO_HISTORY: History = { ours: null, others: [], unread: [], landings: [] };

/** A ruleset that was to be deleted is gone. */
const GONE: LandedWrite = { kind: 'landed', ruleset: null, from: 'answer', normalised: [] };

/** The service took the write, but the ruleset is not there any more. */
const TAKEN_AWAY: WriteFailure = {
  kind: 'conflict',
  message: 'the ruleset is gone: somebody deleted it',
  hint: PLAN_AGAIN,
  others: [],
  unread: [],
  effect: { kind: 'landed', version: null },
};

/**
 * Judges the ruleset with which the service answered a write, at base version + 1 or higher. With the requested content, the write is done. A
 * higher version means that somebody wrote in between: finds out what they changed, and what our write undid of it.
 */
export async function judgeAnswer(
  task: WriteTask,
  answer: LiveRuleset | null,
): Promise<LandedWrite | WriteFailure> {
  const expected = expectAfter(task.before, task.write);
  if (expected === null) {
    return GONE;
  }
  if (answer === null) {
    return TAKEN_AWAY;
  }
  const wrong = deviations(expected, answer).map(describeDeviation);
  const history = await readHistory({ ...about(task), now: answer, made: answer.version });
  if (isShared(history)) {
    return conflict(task, { history, ours: answer, now: answer });
  }
  return wrong.length === 0
    ? landed(expected, answer, 'answer')
    : {
        kind: 'failed',
        code: 'apply/unexpected-result',
        message: `the service took the write and answered with version ${answer.version}, but ${wrong.join('; ')}`,
        hint: 'plan again to see what is left to do',
        effect: { kind: 'landed', version: answer.version },
      };
}

/** Looks for a write of unknown outcome in live, which is no longer at the base of the write. */
export async function findWrite(
  task: WriteTask,
  live: LiveRuleset | null,
): Promise<LandedWrite | WriteFailure | MissingWrite> {
  const expected = expectAfter(task.before, task.write);
  if (expected === null || live === null) {
    return expected === null && live === null
      ? GONE
      : { kind: 'missing', why: 'somebody else wrote meanwhile', history: NO_HISTORY };
  }
  const history = await readHistory({ ...about(task), now: live, made: null });
  if (history.ours === null) {
    const wrong = deviations(expected, live).map(describeDeviation);
    const why =
      wrong.length === 0
        ? 'it is none of the versions since'
        : `live is not what it would have made: ${wrong.join('; ')}`;
    return { kind: 'missing', why, history };
  }
  return isShared(history)
    ? conflict(task, { history, ours: history.ours, now: live })
    : landed(expected, live, 'live');
}

function landed(expected: Expectation, ruleset: LiveRuleset, from: LandedWrite['from']): LandedWrite {
  return { kind: 'landed', ruleset, from, normalised: normalisedRules(expected, ruleset) };
}

/** Whether versions since the base are somebody else's, or may be. */
function isShared({ others, unread }: History): boolean {
  return others.length + unread.length > 0;
}

function about({ reader, run, step, write, before }: WriteTask) {
  return { client: reader, scope: run.scope, write, before, staying: stayingOf(step) };
}

interface WriteHistory {
  readonly history: History;
  readonly ours: LiveRuleset;
  readonly now: LiveRuleset;
}

/** Returns the conflict of a write of ours that took effect beside one of somebody else. */
function conflict({ run, step }: WriteTask, { history, ours, now }: WriteHistory): WriteFailure {
  return {
    kind: 'conflict',
    message: conflictText(history),
    hint: conflictHint({ scope: run.scope, target: step.target, history }),
    others: history.others,
    unread: history.unread,
    race: { landings: history.landings, now },
    effect: { kind: 'landed', version: ours.version },
  };
}
