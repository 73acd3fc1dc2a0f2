import type { Comparison, Tree } from '../language/ast.ts';
import { plainField } from '../language/tests.ts';
import { flatten } from '../language/ungroup.ts';

/** A text field and the values of which every request that matches a filter has one there. */
export interface Demand {
  readonly field: string;
  readonly values: readonly string[];
}

/** What a filter demands of text fields: `eq` and `in` at the top, joined by `and`. Small, where trees are large. */
export function demandsOf(tree: Tree): readonly Demand[] {
  const demands: Demand[] = [];
  for (const part of tree.mode === 'filter' ? flatten(tree.root, 'and') : []) {
    if (part.kind === 'comparison' && !part.elementwise) {
      const field = plainField(part.left);
      const values = textsOf(part);
      if (field !== undefined && values !== undefined) {
        demands.push({ field, values });
      }
    }
  }
  return demands;
}

function textsOf({ operator, right }: Comparison): readonly string[] | undefined {
  if (operator === 'eq' && right.kind === 'bytes') {
    return [right.value];
  }
  return operator === 'in' && right.kind === 'set' && right.of === 'Bytes'
    ? right.items.map(({ value }) => value)
    : undefined;
}

/**
 * Whether two filters demand different values of one text field, such as two hosts: the commonest reason
 * why no request meets both, seen without a proof.
 */
export function demandApart(one: readonly Demand[], other: readonly Demand[]): boolean {
  return one.some(({ field, values }) =>
    other.some((theirs) => theirs.field === field && !values.some((value) => theirs.values.includes(value))),
  );
}
