import type { Comparison, Tree } from '../language/ast.ts';
import { plainField } from '../language/field-tests.ts';
import { flatten } from '../language/ungroup.ts';

/** A field of type Bytes with the values a filter allows it: every request that matches the filter has one of them. */
export interface Demand {
  readonly field: string;
  readonly values: readonly string[];
}

/**
 * Returns what a filter demands of fields of type Bytes in its top-level `eq` and `in` tests, joined by `and`. The result is small even for
 * a large tree.
 */
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
 * Whether two filters demand different values of one field, such as two hosts: the most common reason why no request satisfies both, found
 * without a proof.
 */
export function demandApart(one: readonly Demand[], other: readonly Demand[]): boolean {
  return one.some(({ field, values }) =>
    other.some((theirs) => theirs.field === field && !values.some((value) => theirs.values.includes(value))),
  );
}
