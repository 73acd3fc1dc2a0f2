import type { Tree } from '../ast.ts';
import { membershipOf } from '../equal/members.ts';
import { flatten } from '../ungroup.ts';

/**
 * Whether two filters demand different values of one text field, such as two hosts: the commonest reason
 * why no request meets both, seen without a proof. What a tree demands is worked out once.
 */
export function demandApart(one: Tree, other: Tree): boolean {
  const theirs = demandsOf(other);
  for (const [field, values] of demandsOf(one)) {
    const allowed = theirs.get(field);
    if (allowed !== undefined && !values.some((value) => allowed.includes(value))) {
      return true;
    }
  }
  return false;
}

/** Whether a filter demands one of some values of a text field, so that it cannot be true of every request. */
export function demandsValues(tree: Tree): boolean {
  return demandsOf(tree).size > 0;
}

type Demands = ReadonlyMap<string, readonly string[]>;

const known = new WeakMap<Tree, Demands>();

/** Values of which every request that matches has one, by field: `eq` and `in` at the top, joined by `and`. */
function demandsOf(tree: Tree): Demands {
  const before = known.get(tree);
  if (before !== undefined) {
    return before;
  }
  const demands = new Map<string, readonly string[]>();
  const parts = tree.mode === 'filter' ? flatten(tree.root, 'and') : [];
  for (const part of parts) {
    const membership = part.kind === 'comparison' && !part.elementwise ? membershipOf(part) : undefined;
    if (membership?.members.of === 'Bytes') {
      const { source, indexes } = membership.operand;
      if (source.kind === 'field' && indexes.length === 0) {
        demands.set(source.name, membership.members.values);
      }
    }
  }
  known.set(tree, demands);
  return demands;
}
