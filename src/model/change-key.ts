import type { RuleChange } from './change.ts';
import type { OrderEntry } from './rule-order.ts';
import { newIndex } from './rule-order.ts';

/** Identity of a change within its step: equal to the `entryKey` of the entry that it is about. */
export function changeKey(change: RuleChange): string {
  return change.kind === 'add' ? `new ${change.ref}` : `live ${change.id}`;
}

/** Identity of an entry in the order of a step. */
export function entryKey(entry: OrderEntry): string {
  return entry.kind === 'new' ? `new ${entry.ref}` : `live ${entry.id}`;
}

/** Whether a change puts a rule into a place. */
export function isPlaced(change: RuleChange): boolean {
  return newIndex(change) !== null;
}
