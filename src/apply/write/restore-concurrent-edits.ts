import { orElse } from '../../api/index.ts';
import { errorFacts, knownError, stayingOf, baseOf } from '../../model/index.ts';
import { groupBy } from '../../data/index.ts';
import type { LiveRuleName, LiveRule, LiveRuleset } from '../../model/index.ts';
import { liveRuleName } from '../../plan/index.ts';
import { lookUp } from '../base/look-up.ts';
import type { WriteEffect, WriteFailure } from './write-failure.ts';
import { NO_EFFECT } from './write-failure.ts';
import { isSameRule, overwrittenRules } from './concurrent-edits.ts';
import { REPLAN_HINT } from './conflict.ts';
import type { WriteResult } from './perform-write.ts';
import type { WriteTask } from './scope-run.ts';
import { effectOf, performWrite } from './perform-write.ts';

type Conflict = Extract<WriteFailure, { readonly kind: 'conflict' }>;

/**
 * Brings back the rules of others that a PUT of the rule list removed or reverted: rules that somebody added, changed or moved between our last read
 * and the write, which the plan neither showed nor meant to undo. Each comes back to its place by a request of its own; an added rule gets a new id.
 * The result stays a conflict, since somebody else wrote; the next plan shows what.
 */
export async function restoreConcurrentEdits(task: WriteTask, conflict: Conflict): Promise<WriteFailure> {
  const { race } = conflict;
  const taken =
    race === undefined ? [] : overwrittenRules({ planned: task.before, staying: stayingOf(task.step), race });
  if (race === undefined || taken.length === 0) {
    return conflict;
  }
  let live = race.now;
  let met = conflict;
  const back: LiveRuleName[] = [];
  const missing: NotRestored[] = [];
  for (const [index, { rule, write }] of taken.entries()) {
    const sent = { ...task, write: write(live), before: live };
    const result = await performed(sent);
    met = { ...withOthersOf(met, result), effect: lastEffect(met.effect, effectOf(result)) };
    const after = await rulesetAfter(sent, result);
    const found = after?.rules.find((one) => one.ref === rule.ref && isBack(one, { rule, sent, result }));
    if (after === null) {
      // Live cannot be read: the remaining rules would only wait for the same failure.
      missing.push(...taken.slice(index).map((one) => ({ ref: one.rule.ref, because: reasonOf(result) })));
      break;
    }
    live = after;
    if (found === undefined) {
      missing.push({ ref: rule.ref, because: reasonOf(result) });
    } else {
      back.push(liveRuleName(found));
    }
  }
  return told(met, back, missing);
}

/** Returns the effect of the last write that landed: its version shows how far this run went. */
function lastEffect(before: WriteEffect, now: WriteEffect): WriteEffect {
  return now.kind === 'landed' ? now : before;
}

/** Adds the writes of others that bringing a rule back has met. */
function withOthersOf(conflict: Conflict, result: WriteResult): Conflict {
  return result.kind === 'conflict'
    ? {
        ...conflict,
        others: [...conflict.others, ...result.others],
        unread: [...conflict.unread, ...result.unread],
      }
    : conflict;
}

/** Returns the ruleset after a write, whatever its result; null when it cannot be read. */
async function rulesetAfter(
  { reader, run, step, before }: WriteTask,
  result: WriteResult,
): Promise<LiveRuleset | null> {
  return result.kind === 'landed'
    ? result.ruleset
    : orElse(lookUp(reader, run.scope, step.target, baseOf(before)), () => null);
}

interface RestoreAttempt {
  readonly rule: LiveRule;
  readonly sent: WriteTask;
  readonly result: WriteResult;
}

/** Whether the rule found under the `ref` is the one to be brought back; somebody else may have been quicker, and their work stays. */
function isBack(found: LiveRule, { rule, sent, result }: RestoreAttempt): boolean {
  const isMove = sent.write.kind === 'patch-rule' && sent.write.behind !== null;
  return (
    sent.write.kind === 'add-rule' ||
    effectOf(result).kind === 'landed' ||
    (!isMove && isSameRule(found, rule))
  );
}

/** Performs a write. A journal that cannot be written becomes a failure, so that what was written before is reported. */
async function performed(task: WriteTask): Promise<WriteResult> {
  try {
    return await performWrite(task);
  } catch (error) {
    return { kind: 'failed', ...errorFacts(knownError(error)), effect: NO_EFFECT };
  }
}

function reasonOf(result: WriteResult): string {
  return 'message' in result ? result.message : 'the run was interrupted';
}

/** A rule that was not brought back, and why. */
interface NotRestored {
  readonly ref: string;
  readonly because: string;
}

function told(conflict: Conflict, back: readonly LiveRuleName[], missing: readonly NotRestored[]): Conflict {
  const names = (rules: readonly { readonly ref: string }[]): string =>
    rules.map(({ ref }) => ref).join(', ');
  return {
    ...conflict,
    message: [
      conflict.message,
      ...(back.length === 0 ? [] : [`brought back: ${names(back)}`]),
      ...[...groupBy(missing, ({ because }) => because)].map(
        ([because, rules]) => `could not be brought back: ${names(rules)}, since ${because}`,
      ),
    ].join('; '),
    hint: missing.length === 0 ? REPLAN_HINT : conflict.hint,
    broughtBack: back,
  };
}
