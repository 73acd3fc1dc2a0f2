import { changeKey, entryKey, orderAfter, orderBefore } from '../model/rule-order.ts';
import type { RuleChange } from '../model/change.ts';
import type { Step } from '../model/plan.ts';

/** A rule in the order of a ruleset: its `entryKey`, and its change, if any. */
export interface OrderedRule {
  readonly key: string;
  readonly change?: RuleChange;
}

/** The rules of a ruleset before and after a step. */
export interface RuleOrder {
  readonly before: readonly OrderedRule[];
  readonly after: readonly OrderedRule[];
}

/** Returns both orders of a ruleset, with the change of each rule. */
export function ruleOrder(step: Step): RuleOrder {
  const changes = new Map(step.changes.map((change) => [changeKey(change), change]));
  const ordered = (key: string): OrderedRule => {
    const change = changes.get(key);
    return change === undefined ? { key } : { key, change };
  };
  return {
    before: orderBefore(step).map((id) => ordered(entryKey({ kind: 'live', id }))),
    after: orderAfter(step).map((entry) => ordered(entryKey(entry))),
  };
}
