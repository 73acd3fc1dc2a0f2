import type { Comparison } from '../language/ast.ts';
import type { MemberSet } from '../equal/normal-meaning.ts';
import { literalMembers, membershipOf } from '../equal/normal-meaning.ts';
import { isWithinRange } from '../values/ranges.ts';
import { LARGEST_INT, LEAST_INT } from '../values/value.ts';

/** Returns the values that satisfy a comparison, where they can be listed; a missing value satisfies none of these comparisons. */
export function reachOf(comparison: Comparison): MemberSet | undefined {
  const membership = membershipOf(comparison);
  if (membership !== undefined) {
    return membership.members;
  }
  const { operator, right } = comparison;
  if (right.kind !== 'int') {
    return undefined;
  }
  const { value } = right;
  switch (operator) {
    case 'lt':
      return between(LEAST_INT, value - 1n);
    case 'le':
      return between(LEAST_INT, value);
    case 'gt':
      return between(value + 1n, LARGEST_INT);
    case 'ge':
      return between(value, LARGEST_INT);
    default:
      return undefined;
  }
}

/** Returns the only values, apart from a missing one, that fail a comparison: those of `ne`. Undefined for any other operator. */
export function refusedBy({ operator, right }: Comparison): MemberSet | undefined {
  return operator === 'ne' && right.kind !== 'operand' ? literalMembers(right) : undefined;
}

function between(first: bigint, last: bigint): MemberSet {
  return { of: 'Int', ranges: first > last ? [] : [{ first, last }] };
}

/** Whether every value of one is a value of the other. Ranges are merged, so a contained range lies within a single one. */
export function isWithin(one: MemberSet, other: MemberSet): boolean {
  if (one.of === 'Bytes' || other.of === 'Bytes') {
    return (
      one.of === 'Bytes' && other.of === 'Bytes' && one.values.every((value) => other.values.includes(value))
    );
  }
  return one.ranges.every((inner) => other.ranges.some((outer) => isWithinRange(inner, outer)));
}

/** Whether no value is in both. */
export function excludesReach(one: MemberSet, other: MemberSet): boolean {
  if (one.of === 'Bytes' || other.of === 'Bytes') {
    return (
      one.of === 'Bytes' && other.of === 'Bytes' && !one.values.some((value) => other.values.includes(value))
    );
  }
  return one.ranges.every((a) =>
    other.ranges.every((b) => a.family !== b.family || a.last < b.first || b.last < a.first),
  );
}
