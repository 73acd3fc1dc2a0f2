import { assertNever } from '../model/assert-never.ts';
import type { Condition, Leaf, Value, Values } from '../expression/index.ts';
import { constantOf } from '../expression/language/constant.ts';
import { compileFilter, leavesOf } from '../expression/index.ts';
import { candidateValues, GENERATED_EVALUATION } from './clause-values.ts';
import type { Assignment } from './assignment.ts';

/** One comparison of an expression, with values at and around what it compares with. */
export interface Clause {
  readonly condition: Condition;
  readonly test: (values: Values) => boolean;
  readonly candidates: readonly Assignment[];
}

/** Returns the clauses of a condition: what `and`, `or`, `xor` and `not` connect. Clauses that cannot be evaluated are left out. */
export function clausesOf(root: Condition): readonly Clause[] {
  return leavesOf(root).flatMap((condition) => {
    const compiled = compileFilter(condition, GENERATED_EVALUATION);
    return compiled.ok ? [{ condition, test: compiled.evaluate, candidates: candidatesOf(condition) }] : [];
  });
}

/** Merges two parts of a request; a map keeps the keys of both, and otherwise the second value wins. */
export function merge(one: Assignment, other: Assignment): Assignment {
  const merged = new Map(one);
  for (const [name, value] of other) {
    const before = merged.get(name);
    merged.set(
      name,
      before instanceof Map && value instanceof Map ? new Map<string, Value>([...before, ...value]) : value,
    );
  }
  return merged;
}

function candidatesOf(leaf: Leaf): readonly Assignment[] {
  switch (leaf.kind) {
    case 'comparison':
      return candidateValues(leaf.left, { kind: 'comparison', comparison: leaf });
    case 'bare':
      return constantOf(leaf) === undefined ? candidateValues(leaf.operand, { kind: 'truth' }) : [];
    case 'quantifier': {
      const { argument } = leaf;
      return argument.kind === 'condition'
        ? leavesOf(argument.condition).flatMap(candidatesOf)
        : candidateValues(argument, { kind: 'truth' });
    }
    default:
      return assertNever(leaf);
  }
}
