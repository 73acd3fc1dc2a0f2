import type { Tree, Comparison, Condition } from './language/ast.ts';
import { admitsAll, isAlways } from './imply/always.ts';
import { overIpv6, isConstant, partsOf, unfold } from './imply/claim.ts';
import { demandApart, demandsOf } from './imply/demands.ts';
import type { Claim } from './imply/claim.ts';
import { meaningOf, meaningOfOperand, newNumbering } from './equal/normal-meaning.ts';
import type { Numbering, Sense } from './equal/normal-meaning.ts';
import { excludesReach, isWithin, reachOf, refusedBy } from './imply/reach.ts';
import { fitApart, fitWithin, stringTestOf } from './imply/text-patterns.ts';

/**
 * Whether every request that satisfies `one` provably satisfies `other`. False only says that there is no proof. The proof is sound for
 * missing values too: it works on the truth of conditions and never replaces an operator by its opposite. The search is bounded, so that
 * hostile expressions cost no more than others.
 */
export function implies(one: Tree, other: Tree): boolean {
  return decide(one, other, 'as is');
}

/** Whether provably no request satisfies both. */
export function excludes(one: Tree, other: Tree): boolean {
  return demandApart(demandsOf(one), demandsOf(other)) || decide(one, other, 'negated');
}

/**
 * Whether every request provably satisfies the condition. Unlike `implies` and `excludes`, this also uses facts about the fields of
 * requests (`imply/facts.ts`). Its callers warn of such conditions: a fact that does not hold could cause a false warning, but never hide a
 * true one.
 */
export function isAlwaysTrue(tree: Tree): boolean {
  return tree.mode === 'filter' && isAlways({ condition: tree.root, sense: 'as is' });
}

/** As `isAlwaysTrue`, but for requests over IPv4 only; requests over IPv6 need not satisfy the condition. */
export function isTrueOverIpv4(tree: Tree): boolean {
  return tree.mode === 'filter' && isAlways({ condition: tree.root, sense: 'as is' }, ...overIpv6());
}

/** Steps after which a proof is given up; real rules take a few hundred. */
const MOST_STEPS = 2_000;

function decide(one: Tree, other: Tree, sense: Sense): boolean {
  if (one.mode !== 'filter' || other.mode !== 'filter') {
    return false;
  }
  const search: ImplicationSearch = { numbering: newNumbering(), steps: MOST_STEPS };
  return prove(search, { condition: one.root, sense: 'as is' }, { condition: other.root, sense });
}

interface ImplicationSearch {
  readonly numbering: Numbering;
  steps: number;
}

function prove(search: ImplicationSearch, given: Claim, wanted: Claim): boolean {
  search.steps -= 1;
  if (search.steps < 0) {
    return false;
  }
  const one = unfold(given);
  const other = unfold(wanted);
  if (isConstant(one, false) || isConstant(other, true) || isSame(search, one, other)) {
    return true;
  }
  const alternatives = partsOf(one, 'or');
  if (alternatives !== undefined) {
    return alternatives.every((part) => prove(search, part, other));
  }
  const demands = partsOf(other, 'and');
  if (demands !== undefined) {
    return demands.every((part) => prove(search, one, part));
  }
  return (
    partsOf(one, 'and')?.some((part) => prove(search, part, other)) === true ||
    partsOf(other, 'or')?.some((part) => prove(search, one, part)) === true ||
    proveSingle(search, one, other) ||
    admitsAll(other)
  );
}

function proveSingle({ numbering }: ImplicationSearch, one: Claim, other: Claim): boolean {
  if (one.sense === 'as is') {
    const proof = other.sense === 'as is' ? testImplies : testExcludes;
    return proof(numbering, one.condition, other.condition);
  }
  return other.sense === 'negated' && testImplies(numbering, other.condition, one.condition);
}

function isSame(search: ImplicationSearch, one: Claim, other: Claim): boolean {
  return (
    one.sense === other.sense &&
    meaningOf(search.numbering, one.condition) === meaningOf(search.numbering, other.condition)
  );
}

/** Whether a request that passes one test provably passes the other. */
function testImplies(numbering: Numbering, one: Condition, other: Condition): boolean {
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
function testExcludes(numbering: Numbering, one: Condition, other: Condition): boolean {
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
  const [left, right] = [stringTestOf(one), stringTestOf(other)];
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
