import type { Combination, Comparison, Condition } from '../language/ast.ts';
import { printLiteral, setItems } from '../print/arrange.ts';
import { printOperand } from '../print/print.ts';
import { showBytes } from '../language/source.ts';
import { ungroup } from '../language/ungroup.ts';

/** The items that were added to and removed from the values that one operand is tested against, in canonical text. */
export interface ItemChange {
  readonly kind: 'items';
  /** The operand in canonical text. */
  readonly operand: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Returns the difference between tests of one operand against fixed values; undefined when a test is of another kind. */
export function differentItems(
  before: readonly Comparison[],
  after: readonly Comparison[],
): ItemChange | undefined {
  const old = before.map(itemsOf);
  const now = after.map(itemsOf);
  const [first] = before;
  if (first === undefined || old.includes(undefined) || now.includes(undefined)) {
    return undefined;
  }
  const removed = without(
    old.flatMap((items) => items ?? []),
    now,
  );
  const added = without(
    now.flatMap((items) => items ?? []),
    old,
  );
  return { kind: 'items', operand: printOperand(first.left), added, removed };
}

/**
 * Returns the test of a clause that can be joined with like clauses of the list into one set: `x eq a or x in {b c}`, and `not x eq a and
 * not x in {b c}`. Undefined for any other clause.
 */
export function joinableTest(clause: Condition, joined: Combination['kind']): Comparison | undefined {
  const inner = ungroup(clause);
  const test = joined === 'and' && inner.kind === 'not' ? ungroup(inner.item) : inner;
  const joinable = joined === 'or' || (joined === 'and' && inner.kind === 'not');
  return joinable && test.kind === 'comparison' && itemsOf(test) !== undefined ? test : undefined;
}

function itemsOf({ operator, right }: Comparison): readonly string[] | undefined {
  if (operator === 'in' && right.kind === 'set') {
    return setItems(right).map(showBytes);
  }
  return operator === 'eq' && right.kind !== 'operand' ? [showBytes(printLiteral(right))] : undefined;
}

function without(
  items: readonly string[],
  others: readonly (readonly string[] | undefined)[],
): readonly string[] {
  const known = new Set(others.flatMap((some) => some ?? []));
  return [...new Set(items)].filter((item) => !known.has(item));
}
