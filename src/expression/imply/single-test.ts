import type { Comparison, Condition } from '../language/ast.ts';
import { meaningOfOperand } from '../equal/meaning.ts';
import type { Numbering } from '../equal/numbering.ts';
import { excludesReach, isWithin, reachOf, refusedBy } from './reach.ts';
import { fitApart, fitWithin, textTestOf } from './text-patterns.ts';

/** Whether a request that passes one test provably passes the other. */
export function testImplies(numbering: Numbering, one: Condition, other: Condition): boolean {
  const comparisons = comparisonsOfOneOperand(numbering, one, other);
  if (comparisons !== undefined) {
    const reach = reachOf(comparisons[0]);
    const within = reachOf(comparisons[1]);
    const refused = refusedBy(comparisons[1]);
    if (reach !== undefined && within !== undefined) {
      return isWithin(reach, within);
    }
    if (reach !== undefined && refused !== undefined) {
      return excludesReach(reach, refused);
    }
  }
  const texts = textsOfOneOperand(numbering, one, other);
  return texts !== undefined && fitWithin(texts[0].patterns, texts[1].patterns);
}

/** Whether provably no request passes both tests. */
export function testExcludes(numbering: Numbering, one: Condition, other: Condition): boolean {
  const comparisons = comparisonsOfOneOperand(numbering, one, other);
  if (comparisons !== undefined) {
    const [left, right] = comparisons;
    const reach = reachOf(left);
    const forbidden = reachOf(right);
    if (reach !== undefined && forbidden !== undefined) {
      return excludesReach(reach, forbidden);
    }
    const [some, refused] = reach === undefined ? [forbidden, refusedBy(left)] : [reach, refusedBy(right)];
    if (some !== undefined && refused !== undefined) {
      return isWithin(some, refused);
    }
  }
  const texts = textsOfOneOperand(numbering, one, other);
  return texts !== undefined && fitApart(texts[0].patterns, texts[1].patterns);
}

function textsOfOneOperand(numbering: Numbering, one: Condition, other: Condition) {
  const [left, right] = [textTestOf(one), textTestOf(other)];
  return left !== undefined &&
    right !== undefined &&
    meaningOfOperand(numbering, left.operand) === meaningOfOperand(numbering, right.operand)
    ? ([left, right] as const)
    : undefined;
}

/**
 * Returns both comparisons when they test the same operand. Comparisons with `[*]` concern many values at once, so nothing is concluded
 * from them.
 */
function comparisonsOfOneOperand(
  numbering: Numbering,
  one: Condition,
  other: Condition,
): readonly [Comparison, Comparison] | undefined {
  return one.kind === 'comparison' &&
    other.kind === 'comparison' &&
    !one.elementwise &&
    !other.elementwise &&
    meaningOfOperand(numbering, one.left) === meaningOfOperand(numbering, other.left)
    ? [one, other]
    : undefined;
}
