import type { NormalisedRule } from '../model/outcome.ts';
import type { LiveRuleset } from '../model/ruleset.ts';
import { scopeLabel } from '../model/scope.ts';
import { slug } from '../model/slug.ts';
import type { RulesetTarget } from '../model/plan.ts';
import { describeDeviation, deviations, expectAfter, normalisedRules } from '../plan/expect.ts';
import type { History } from './foreign-writes.ts';
import { readHistory } from './foreign-writes.ts';
import type { WriteTask } from './perform-write.ts';
import { STALE_HINT, differenceSince } from './stale.ts';
import type { Undone } from './undone.ts';

/** A write that took effect, and the ruleset after it (null: deleted). */
export interface Landed {
  readonly kind: 'landed';
  readonly ruleset: LiveRuleset | null;
  readonly normalised: readonly NormalisedRule[];
}

/** What was found after a write: the service's answer, or live after an answer that never came. */
export interface Found {
  readonly ruleset: LiveRuleset | null;
  readonly answer: 'answered' | 'unknown';
}

/**
 * Judges the ruleset after a write: base + 1 with what was asked for is done. A higher version means that
 * somebody wrote in between; what they changed, and what our write undid of it, is found out.
 */
export async function judgeWrite(task: WriteTask, found: Found): Promise<Landed | Undone> {
  const { before, write } = task;
  const after = found.ruleset;
  const expected = expectAfter(before, write);
  if (expected === null || after === null) {
    return expected === null && after === null
      ? { kind: 'landed', ruleset: null, normalised: [] }
      : judgePresence(task, found);
  }
  const wrong = deviations(expected, after).map(describeDeviation);
  const wanted = before === null ? 1n : BigInt(before.version) + 1n;
  if (BigInt(after.version) === wanted && wrong.length === 0) {
    return { kind: 'landed', ruleset: after, normalised: normalisedRules(expected, after) };
  }
  if (BigInt(after.version) > wanted) {
    const history = await readHistory({ ...about(task), now: after, answer: found.answer });
    return history.ours !== null && history.others.length === 0 && wrong.length === 0
      ? { kind: 'landed', ruleset: after, normalised: normalisedRules(expected, after) }
      : judgeHistory(task, after, history);
  }
  return found.answer === 'answered'
    ? {
        kind: 'failed',
        code: 'apply/unexpected-result',
        message: `the service took the write and answered with version ${after.version}, but ${
          wrong.length === 0 ? `version ${wanted} was expected` : wrong.join('; ')
        }`,
        hint: 'plan again to see what is left to do',
        landed: true,
      }
    : stale(
        task,
        after,
        `no answer came to the write, and live is not what it would have made: ${wrong.join('; ')}`,
      );
}

function about({ reader, run, write, before }: WriteTask) {
  return { client: reader, scope: run.scope, write, before };
}

/** One side says that there is a ruleset, the other that there is none. */
function judgePresence(task: WriteTask, { ruleset, answer }: Found): Undone {
  if (answer === 'unknown') {
    return stale(task, ruleset, 'no answer came to the write, and somebody else wrote meanwhile');
  }
  const what = ruleset === null ? 'the ruleset is gone: somebody deleted it' : 'the ruleset is still there';
  return { kind: 'conflict', message: what, hint: PLAN_AGAIN, others: [], landed: true };
}

const PLAN_AGAIN = 'nothing more was written to this ruleset; plan again to go on from what is live now';

function judgeHistory(task: WriteTask, now: LiveRuleset, { ours, others }: History): Undone {
  if (ours === null) {
    return stale(task, now, 'no answer came to the write, and it is none of the versions since');
  }
  const versions = others.map((other) => other.version).join(', ');
  const lost = others.filter((other) => other.lost.length > 0);
  const word = others.length === 1 ? 'version' : 'versions';
  const message = `somebody else wrote ${word} ${versions} while this step wrote version ${ours.version}; ${
    lost.length === 0
      ? 'nothing of it was lost'
      : `this write undid a part of it: ${lost.flatMap((other) => other.lost.map((rule) => rule.ref)).join(', ')}`
  }`;
  const last = lost.at(-1);
  const { scope } = task.run;
  const hint =
    last === undefined
      ? PLAN_AGAIN
      : `to bring back what was lost: ${rollbackCommand(scopeLabel(scope), task.step.target, last.version)}; or put it into the files and plan again`;
  return { kind: 'conflict', message, hint, others, landed: true };
}

/** The command that puts a ruleset back to a version. */
function rollbackCommand(scope: string, target: RulesetTarget, version: string): string {
  const ruleset = target.level === 'custom' ? `${target.phase}/custom:${slug(target.name)}` : target.phase;
  const word = /^[\w./:@-]+$/.test(scope) ? scope : `'${scope.replaceAll("'", String.raw`'\''`)}'`;
  return `rulewright rollback ${word} ${ruleset} --to ${version}`;
}

/** Our write did nothing, and live is not what it was made for any more. */
export function stale(task: WriteTask, live: LiveRuleset | null, message: string): Undone {
  return {
    kind: 'refused',
    code: 'apply/stale',
    message,
    hint: STALE_HINT,
    difference: differenceSince(task.step, task.before, live),
  };
}
