import type { Tree } from '../../expression/language/ast.ts';
import { excludes, implies } from '../../expression/implies.ts';
import type { Demand } from '../../expression/imply/apart.ts';
import { demandApart, demandsOf } from '../../expression/imply/apart.ts';
import { firstDemand } from '../../expression/imply/first-demand.ts';
import { withOpaque } from '../../expression/opaque.ts';
import { parseExpression } from '../../expression/parse/parse.ts';
import { hasReference } from '../../model/sensitive.ts';

/** A list of a thousand rules that is turned round asks for each of its conditions a thousand times. */
const MOST = 4096;

/** A condition, with what it can nearly always be told apart from others by. */
export interface KnownCondition {
  readonly text: string;
  /** What it demands first, one thing at most, where that can be told without a parse. */
  readonly first: readonly Demand[];
}

/** What conditions demand is small, where trees are large. Trees that nobody asks for again are not kept. */
const demands = new Map<string, readonly Demand[] | 'no condition'>();
const trees = new Map<string, Tree | 'no condition'>();

/**
 * The tree of a condition as far as proofs may look at it, or nothing when it does not parse; the last some thousand are kept. What a
 * sensitive value is, they do not know.
 */
export function treeOf(text: string): Tree | undefined {
  const tree = trees.get(text) ?? keep(trees, text, parse(text));
  return tree === 'no condition' ? undefined : tree;
}

/** Whether provably no request meets both conditions; false where one does not parse. */
export function areApart(one: KnownCondition, other: KnownCondition): boolean {
  if (arePlainlyApart(one, other)) {
    return true;
  }
  const left = treeOf(one.text);
  const right = treeOf(other.text);
  return left !== undefined && right !== undefined && excludes(left, right);
}

/** Whether a look at their demands tells that no request meets both conditions: what costs next to nothing. */
export function arePlainlyApart(one: KnownCondition, other: KnownCondition): boolean {
  if (demandApart(one.first, other.first)) {
    return true;
  }
  const [own, its] = [demandsIn(one.text), demandsIn(other.text)];
  return own !== 'no condition' && its !== 'no condition' && demandApart(own, its);
}

/** Whether provably every request that meets one condition meets the other. */
export function isWithin(one: string, other: string): boolean {
  const left = treeOf(one);
  const right = treeOf(other);
  return left !== undefined && right !== undefined && implies(left, right);
}

/** Proofs about the conditions of one ruleset, of which there are only so many: pairs of rules grow with the square of the rules. */
export interface Proofs {
  /** As the function of this name; false too once there are no proofs left. */
  readonly areApart: typeof areApart;
  /** The same. */
  readonly isWithin: typeof isWithin;
}

/** The most proofs for one ruleset; a hard one takes a third of a millisecond. */
const MOST_PROOFS = 10_000;

/** Makes the proofs for a ruleset. What a look at the demands of conditions tells does not count. */
export function createProofs(): Proofs {
  let left = MOST_PROOFS;
  const mayProve = (): boolean => {
    left -= 1;
    return left >= 0;
  };
  return {
    areApart: (one, other) => arePlainlyApart(one, other) || (mayProve() && areApart(one, other)),
    isWithin: (one, other) => mayProve() && isWithin(one, other),
  };
}

/** What is known of a condition. */
export function conditionOf(text: string): KnownCondition {
  const first = firstDemand(text);
  const isKnown = first !== undefined && !first.values.some(hasReference);
  return { text, first: isKnown ? [first] : [] };
}

function demandsIn(text: string): readonly Demand[] | 'no condition' {
  const before = demands.get(text);
  if (before !== undefined) {
    return before;
  }
  const tree = parse(text);
  const found = tree === 'no condition' ? tree : demandsOf(tree);
  if (found !== 'no condition' && found.length === 0) {
    // Nothing to tell it apart by: the tree will be asked for next.
    keep(trees, text, tree);
  }
  return keep(demands, text, found);
}

function parse(text: string): Tree | 'no condition' {
  const result = parseExpression(text);
  if (!result.ok || result.tree.mode !== 'filter') {
    return 'no condition';
  }
  return hasReference(text) ? withOpaque(result.tree, hasReference) : result.tree;
}

function keep<Value>(known: Map<string, Value>, text: string, value: Value): Value {
  if (known.size >= MOST) {
    known.clear();
  }
  known.set(text, value);
  return value;
}
