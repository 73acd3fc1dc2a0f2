import type { RuleChange } from '../model/change.ts';
import { formerIndex, formerOrder } from '../model/former-order.ts';
import type { OrderEntry } from '../model/plan.ts';

/** A rule of a ruleset's order and, where something happens to it, what. */
export interface OrderedRule {
  readonly ref: string;
  readonly change?: RuleChange;
}

/** The rules of a ruleset before and after a step. */
export interface RuleOrder {
  readonly before: readonly OrderedRule[];
  readonly after: readonly OrderedRule[];
}

/**
 * Both orders of a ruleset, from the one that a step leads to and the step's changes: those carry the places
 * that rules had, and all rules that stay keep their order among themselves.
 */
export function ruleOrder(order: readonly OrderEntry[], changes: readonly RuleChange[]): RuleOrder {
  const byRef = new Map(
    changes.filter(({ kind }) => kind !== 'delete').map((change) => [change.ref, change]),
  );
  const after = order.map(({ ref }): OrderedRule => {
    const change = byRef.get(ref);
    return change === undefined ? { ref } : { ref, change };
  });
  const placed = new Map<number, OrderedRule>();
  for (const change of changes) {
    const place = formerIndex(change);
    if (place !== null) {
      placed.set(place, { ref: change.ref, change });
    }
  }
  const staying = after.filter(
    ({ change }) => change?.kind !== 'add' && (change === undefined || formerIndex(change) === null),
  );
  return { before: formerOrder(staying, placed), after };
}
