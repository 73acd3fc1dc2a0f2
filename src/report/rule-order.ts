import type { RuleChange } from '../model/change.ts';
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
    const place = placeBefore(change);
    if (place !== null) {
      placed.set(place, { ref: change.ref, change });
    }
  }
  const staying = after.filter(
    ({ change }) => change?.kind !== 'add' && (change === undefined || placeBefore(change) === null),
  );
  const before: OrderedRule[] = [];
  let next = 0;
  for (let index = 1; index <= staying.length + placed.size; index += 1) {
    const rule = placed.get(index) ?? staying[next];
    next += placed.has(index) ? 0 : 1;
    if (rule !== undefined) {
      before.push(rule);
    }
  }
  return { before, after };
}

/** Where a rule that goes or moves stood, counted from 1; null for rules that stay and for new ones. */
function placeBefore(change: RuleChange): number | null {
  switch (change.kind) {
    case 'delete':
      return change.place.index;
    case 'move':
      return change.move.from.index;
    case 'patch':
      return change.move?.from.index ?? null;
    default:
      return null;
  }
}
