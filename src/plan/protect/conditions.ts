import type { Tree } from '../../expression/language/ast.ts';
import { excludes, implies } from '../../expression/implies.ts';
import type { Demand } from '../../expression/imply/apart.ts';
import { demandApart, demandsOf } from '../../expression/imply/apart.ts';
import { firstDemand } from '../../expression/imply/first-demand.ts';
import { withOpaque } from '../../expression/opaque.ts';
import { parseExpression } from '../../expression/parse/parse.ts';
import { createLimitedMap } from '../../model/limited-map.ts';
import { hasReference } from '../../model/sensitive.ts';

/** The most conditions kept in a cache: reversing a list of a thousand rules asks for each of its conditions a thousand times. */
const MOST = 4096;

/** A condition with its first demand, which nearly always suffices to tell that two conditions exclude each other. */
export interface KnownCondition {
  readonly text: string;
  /** What the condition demands first: at most one demand; empty when it cannot be told without parsing. */
  readonly first: readonly Demand[];
}

/** Caches. Demands are small and trees large, so a tree is kept only if it is likely to be asked for again. */
const demands = createLimitedMap<readonly Demand[] | 'no condition'>(MOST);
const trees = createLimitedMap<Tree | 'no condition'>(MOST);

/** Returns the tree of a condition for proofs, cached, or undefined when it does not parse. Sensitive values in it are opaque to proofs. */
export function treeOf(text: string): Tree | undefined {
  const tree = trees.get(text) ?? trees.keep(text, parse(text));
  return tree === 'no condition' ? undefined : tree;
}

/** Whether provably no request meets both conditions; false when one does not parse. */
export function areApart(one: KnownCondition, other: KnownCondition): boolean {
  if (arePlainlyApart(one, other)) {
    return true;
  }
  const left = treeOf(one.text);
  const right = treeOf(other.text);
  return left !== undefined && right !== undefined && excludes(left, right);
}

/** Whether the demands of two conditions already tell that no request meets both; costs next to nothing. */
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

/** A limited number of proofs about the conditions of one ruleset, since pairs of rules grow quadratically. */
export interface Proofs {
  /** Like the function of this name, but false once no proofs are left. */
  readonly areApart: typeof areApart;
  /** Like the function of this name, but false once no proofs are left. */
  readonly isWithin: typeof isWithin;
}

/** The most proofs for one ruleset; a hard one takes a third of a millisecond. */
const MOST_PROOFS = 10_000;

/** Creates the proofs for a ruleset. Comparisons decided by demands alone do not count. */
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
    // Without demands the tree will be asked for next.
    trees.keep(text, tree);
  }
  return demands.keep(text, found);
}

function parse(text: string): Tree | 'no condition' {
  const result = parseExpression(text);
  if (!result.ok || result.tree.mode !== 'filter') {
    return 'no condition';
  }
  return hasReference(text) ? withOpaque(result.tree, hasReference) : result.tree;
}
