import type { Condition, Tree } from './ast.ts';
import { constantOf } from './constant.ts';
import { demandApart, demandsOf } from './imply/apart.ts';
import { testExcludes, testImplies } from './imply/single-test.ts';
import { meaningOf } from './equal/meaning.ts';
import type { Numbering, Sense } from './equal/numbering.ts';
import { DUAL, newNumbering, OPPOSITE } from './equal/numbering.ts';
import { parseExpression } from './parse.ts';
import { ungroup } from './ungroup.ts';

/**
 * Whether every request that satisfies `one` provably satisfies `other`. False says only that there is no
 * proof. Sound for missing values too, since it goes by the truth of conditions and never swaps an operator
 * for its opposite. The search is bounded, so that hostile expressions cost no more than others.
 */
export function implies(one: Tree, other: Tree): boolean {
  return decide(one, other, 'as is');
}

/** Whether provably no request satisfies both. */
export function excludes(one: Tree, other: Tree): boolean {
  return demandApart(demandsOf(one), demandsOf(other)) || decide(one, other, 'negated');
}

/** Whether provably every request satisfies it. */
export function isAlwaysTrue(tree: Tree): boolean {
  // What demands a value of a field is not true of requests with another value.
  if (demandsOf(tree).length > 0) {
    return false;
  }
  const all = parseExpression('true');
  return all.ok && implies(all.tree, tree);
}

/** Steps after which a proof is given up; real rules take a few hundred. */
const MOST_STEPS = 20_000;

function decide(one: Tree, other: Tree, sense: Sense): boolean {
  if (one.mode !== 'filter' || other.mode !== 'filter') {
    return false;
  }
  const search: Search = { numbering: newNumbering(), steps: MOST_STEPS };
  return prove(search, { condition: one.root, sense: 'as is' }, { condition: other.root, sense });
}

interface Search {
  readonly numbering: Numbering;
  steps: number;
}

/** A condition that is meant as it stands, or negated. */
interface Claim {
  readonly condition: Condition;
  readonly sense: Sense;
}

function prove(search: Search, given: Claim, wanted: Claim): boolean {
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
    proveSingle(search, one, other)
  );
}

function proveSingle({ numbering }: Search, one: Claim, other: Claim): boolean {
  if (one.sense === 'as is') {
    const proof = other.sense === 'as is' ? testImplies : testExcludes;
    return proof(numbering, one.condition, other.condition);
  }
  return other.sense === 'negated' && testImplies(numbering, other.condition, one.condition);
}

/** Without parentheses and `not`. */
function unfold({ condition, sense }: Claim): Claim {
  const inner = ungroup(condition);
  return inner.kind === 'not'
    ? unfold({ condition: inner.item, sense: OPPOSITE[sense] })
    : { condition: inner, sense };
}

/** The operands of `and` or `or`, also by De Morgan. */
function partsOf({ condition, sense }: Claim, kind: 'and' | 'or'): readonly Claim[] | undefined {
  const written = sense === 'as is' ? kind : DUAL[kind];
  return condition.kind === written ? condition.items.map((item) => ({ condition: item, sense })) : undefined;
}

function isSame(search: Search, one: Claim, other: Claim): boolean {
  return (
    one.sense === other.sense &&
    meaningOf(search.numbering, one.condition) === meaningOf(search.numbering, other.condition)
  );
}

/** Whether a claim is the constant `true` or `false`. */
function isConstant({ condition, sense }: Claim, value: boolean): boolean {
  return constantOf(condition) === (sense === 'as is' ? value : !value);
}
