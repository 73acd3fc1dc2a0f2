import { decline } from '../protocol/refusal.ts';
import { badPosition } from './errors.ts';
import type { StoredRule } from '../records/ruleset.ts';

/** Where a rule goes in its list (api.md 3.3). With an empty id, `before` means the start of the list and `after` its end. */
export type Position =
  | { readonly kind: 'before'; readonly id: string }
  | { readonly kind: 'after'; readonly id: string }
  | { readonly kind: 'index'; readonly index: number };

const POINTER = '/position';

/** Reads a decoded `position` object, which must have exactly one member. */
export function readPosition(raw: {
  readonly before?: string;
  readonly after?: string;
  readonly index?: number;
}): Position {
  if (Object.keys(raw).length !== 1) {
    throw badPosition('exactly one of before, after, index is required', POINTER);
  }
  const { before, after, index = 0 } = raw;
  if (before !== undefined) {
    return { kind: 'before', id: before };
  }
  return after === undefined ? { kind: 'index', index } : { kind: 'after', id: after };
}

/**
 * Inserts a rule into the list of the other rules. `index` is the rule's final place, counted from 1; without a
 * position, the rule is appended.
 */
export function insertAt(
  others: readonly StoredRule[],
  rule: StoredRule,
  position: Position | undefined,
): readonly StoredRule[] {
  const place = position === undefined ? others.length : placeOf(others, rule.id, position);
  return [...others.slice(0, place), rule, ...others.slice(place)];
}

function placeOf(others: readonly StoredRule[], self: string, position: Position): number {
  if (position.kind === 'index') {
    const last = others.length + 1;
    return position.index >= 1 && position.index <= last
      ? position.index - 1
      : decline(badPosition(`index ${position.index} is out of range 1 to ${last}`, `${POINTER}/index`));
  }
  const pointer = `${POINTER}/${position.kind}`;
  if (position.id === '') {
    return position.kind === 'before' ? 0 : others.length;
  }
  if (position.id === self) {
    throw badPosition('a rule cannot be placed relative to itself', pointer);
  }
  const neighbour = others.findIndex((other) => other.id === position.id);
  if (neighbour < 0) {
    throw badPosition(`could not find rule with ID ${position.id}`, pointer);
  }
  return position.kind === 'before' ? neighbour : neighbour + 1;
}
