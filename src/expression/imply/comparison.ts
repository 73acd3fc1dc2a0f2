import type { Comparison } from '../ast.ts';
import { meaningOfOperand } from '../equal/meaning.ts';
import type { Numbering } from '../equal/numbering.ts';
import { excludesReach, isWithin, reachOf } from './reach.ts';

/** Whether a value that passes one comparison provably passes the other; both are of one operand then. */
export function comparisonImplies(numbering: Numbering, one: Comparison, other: Comparison): boolean {
  if (!isOfOneOperand(numbering, one, other)) {
    return false;
  }
  const reach = reachOf(one);
  const within = reachOf(other);
  if (reach !== undefined && within !== undefined) {
    return isWithin(reach, within);
  }
  // `contains "abc"` implies `contains "ab"`, and so does a fixed value that contains it.
  if (other.operator === 'contains') {
    const part = other.right.value;
    return one.operator === 'contains'
      ? one.right.value.includes(part)
      : reach?.of === 'Bytes' && reach.values.every((value) => value.includes(part));
  }
  return false;
}

/** Whether provably no value passes both comparisons. */
export function comparisonExcludes(numbering: Numbering, one: Comparison, other: Comparison): boolean {
  if (!isOfOneOperand(numbering, one, other)) {
    return false;
  }
  const reach = reachOf(one);
  const forbidden = reachOf(other);
  if (reach !== undefined && forbidden !== undefined) {
    return excludesReach(reach, forbidden);
  }
  const values =
    reach?.of === 'Bytes' ? reach.values : forbidden?.of === 'Bytes' ? forbidden.values : undefined;
  const part =
    one.operator === 'contains'
      ? one.right.value
      : other.operator === 'contains'
        ? other.right.value
        : undefined;
  return values !== undefined && part !== undefined && values.every((value) => !value.includes(part));
}

/** Comparisons of lists (`[*]`) speak of many values at once, so nothing is concluded from them. */
function isOfOneOperand(numbering: Numbering, one: Comparison, other: Comparison): boolean {
  return (
    !one.elementwise &&
    !other.elementwise &&
    meaningOfOperand(numbering, one.left) === meaningOfOperand(numbering, other.left)
  );
}
