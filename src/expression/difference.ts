import type { Combination, Comparison, Condition, Tree } from './language/ast.ts';
import { meaningOf, meaningOfOperand, meaningOfTree, newNumbering } from './equal/normal-meaning.ts';
import type { Numbering } from './equal/normal-meaning.ts';
import {
  printCondition,
  printExpression,
  printOperand,
  printLiteral,
  setItems,
} from './print/print-expression.ts';
import { flatten, isJoined, ungroup } from './language/field-tests.ts';
import { showBytes } from './language/source-bytes.ts';

/** One change from an expression to another, in canonical text. */
export type ExpressionChange =
  | {
      readonly kind: 'added' | 'removed';
      readonly clause: string;
      /** The operator that joins the clause to its neighbours. */
      readonly joined: Combination['kind'];
    }
  | ItemChange
  | { readonly kind: 'replaced'; readonly before: string; readonly after: string };

/**
 * Returns what changed from one expression to another: clauses added and removed, items added to and removed from a set, else the smallest
 * part that was replaced. Empty when both provably mean the same.
 */
export function differenceOf(before: Tree, after: Tree): readonly ExpressionChange[] {
  const numbering = newNumbering();
  if (meaningOfTree(numbering, before) === meaningOfTree(numbering, after)) {
    return [];
  }
  if (before.mode === 'filter' && after.mode === 'filter') {
    return compare(numbering, before.root, after.root);
  }
  return [{ kind: 'replaced', before: printExpression(before), after: printExpression(after) }];
}

function compare(numbering: Numbering, before: Condition, after: Condition): readonly ExpressionChange[] {
  const one = ungroup(before);
  const other = ungroup(after);
  if (meaningOf(numbering, one) === meaningOf(numbering, other)) {
    return [];
  }
  if (one.kind === 'comparison' && other.kind === 'comparison' && sameOperand(numbering, one, other)) {
    const items = differentItems([one], [other]);
    return items === undefined ? replaced(one, other) : [items];
  }
  if (one.kind === 'not' && other.kind === 'not') {
    return compare(numbering, one.item, other.item);
  }
  const kind = commonOperator(numbering, one, other);
  return kind === undefined
    ? replaced(one, other)
    : compareClauses(numbering, { before: one, after: other, kind });
}

function replaced(before: Condition, after: Condition): readonly ExpressionChange[] {
  return [{ kind: 'replaced', before: printCondition(before), after: printCondition(after) }];
}

function sameOperand(numbering: Numbering, one: Comparison, other: Comparison): boolean {
  return meaningOfOperand(numbering, one.left) === meaningOfOperand(numbering, other.left);
}

/**
 * Returns the operator by which both conditions can be compared as lists of clauses: the operator of both, or that of the one that has the
 * other among its clauses.
 */
function commonOperator(
  numbering: Numbering,
  one: Condition,
  other: Condition,
): Combination['kind'] | undefined {
  return isJoined(one) && isJoined(other) && one.kind === other.kind
    ? one.kind
    : (operatorAround(numbering, one, other) ?? operatorAround(numbering, other, one));
}

function operatorAround(
  numbering: Numbering,
  clause: Condition,
  list: Condition,
): Combination['kind'] | undefined {
  const sought = meaningOf(numbering, clause);
  return isJoined(list) && flatten(list, list.kind).some((item) => meaningOf(numbering, item) === sought)
    ? list.kind
    : undefined;
}

interface ConditionLists {
  readonly before: Condition;
  readonly after: Condition;
  readonly kind: Combination['kind'];
}

function compareClauses(
  numbering: Numbering,
  { before, after, kind }: ConditionLists,
): readonly ExpressionChange[] {
  const [removed, added] = withoutCommon(numbering, flatten(before, kind), flatten(after, kind));
  const changes: ExpressionChange[] = [...compareTests(numbering, { removed, added, kind })];
  for (const clause of removed) {
    const partner = added.findIndex((candidate) => belongTogether(numbering, clause, candidate));
    const [taken] = partner === -1 ? [] : added.splice(partner, 1);
    if (taken === undefined) {
      changes.push({ kind: 'removed', clause: printCondition(clause), joined: kind });
    } else {
      changes.push(...compare(numbering, clause, taken));
    }
  }
  for (const clause of added) {
    changes.push({ kind: 'added', clause: printCondition(clause), joined: kind });
  }
  // Both sides have the same clauses, but not as often: `a xor a` and `a`.
  return changes.length === 0 ? replaced(before, after) : changes;
}

interface Clauses {
  readonly removed: Condition[];
  readonly added: Condition[];
  readonly kind: Combination['kind'];
}

/** Compares the tests of each operand that both sides test, joined into one set per side, and removes these tests from both lists. */
function compareTests(numbering: Numbering, { removed, added, kind }: Clauses): readonly ExpressionChange[] {
  const changes: ExpressionChange[] = [];
  const operands = new Set(
    [...removed, ...added].flatMap((clause) => operandOf(numbering, clause, kind) ?? []),
  );
  for (const operand of operands) {
    const isTest = (clause: Condition): boolean => operandOf(numbering, clause, kind) === operand;
    if (removed.some(isTest) && added.some(isTest)) {
      const change = differentItems(takeTests(removed, isTest, kind), takeTests(added, isTest, kind));
      if (change !== undefined && change.added.length + change.removed.length > 0) {
        changes.push(change);
      }
    }
  }
  return changes;
}

function operandOf(numbering: Numbering, clause: Condition, kind: Combination['kind']): number | undefined {
  const test = joinableTest(clause, kind);
  return test && meaningOfOperand(numbering, test.left);
}

function takeTests(
  clauses: Condition[],
  isTest: (clause: Condition) => boolean,
  kind: Combination['kind'],
): readonly Comparison[] {
  const taken = clauses.filter(isTest).flatMap((clause) => joinableTest(clause, kind) ?? []);
  clauses.splice(0, clauses.length, ...clauses.filter((clause) => !isTest(clause)));
  return taken;
}

/** Returns the clauses that only `before` has and those that only `after` has, each in order. */
function withoutCommon(
  numbering: Numbering,
  before: readonly Condition[],
  after: readonly Condition[],
): [Condition[], Condition[]] {
  const known = new Set(before.map((clause) => meaningOf(numbering, clause)));
  const kept = new Set(after.map((clause) => meaningOf(numbering, clause)));
  return [
    before.filter((clause) => !kept.has(meaningOf(numbering, clause))),
    after.filter((clause) => !known.has(meaningOf(numbering, clause))),
  ];
}

/** Whether one clause is probably a changed version of the other: both test one operand, or both are lists that share a clause. */
function belongTogether(numbering: Numbering, one: Condition, other: Condition): boolean {
  const left = ungroup(one);
  const right = ungroup(other);
  if (left.kind === 'not' && right.kind === 'not') {
    return belongTogether(numbering, left.item, right.item);
  }
  if (left.kind === 'comparison' && right.kind === 'comparison') {
    return sameOperand(numbering, left, right) && differentItems([left], [right]) !== undefined;
  }
  if (isJoined(left) && left.kind === right.kind) {
    const clauses = new Set(flatten(left, left.kind).map((clause) => meaningOf(numbering, clause)));
    return flatten(right, left.kind).some((clause) => clauses.has(meaningOf(numbering, clause)));
  }
  return false;
}

/** The items that were added to and removed from the values that one operand is tested against, in canonical text. */
interface ItemChange {
  readonly kind: 'items';
  /** The operand in canonical text. */
  readonly operand: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Returns the difference between tests of one operand against fixed values; undefined when a test is of another kind. */
function differentItems(before: readonly Comparison[], after: readonly Comparison[]): ItemChange | undefined {
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
function joinableTest(clause: Condition, joined: Combination['kind']): Comparison | undefined {
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
