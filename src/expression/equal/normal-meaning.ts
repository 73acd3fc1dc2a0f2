import type {
  Argument,
  Comparison,
  Condition,
  Index,
  Operand,
  RightSide,
  Tree,
  Literal,
  SetLiteral,
} from '../language/ast.ts';
import { conditionType } from '../language/condition-type.ts';
import { printLiteral } from '../print/print-expression.ts';
import { flatten, ungroup } from '../language/field-tests.ts';
import type { Ungrouped } from '../language/field-tests.ts';
import { mergeRanges } from '../values/ranges.ts';
import type { ValueRange } from '../values/ranges.ts';

/** The values that satisfy a membership test, `eq` or `in {...}`. Ranges are merged, strings are sorted. */
export type MemberSet =
  | { readonly of: 'Int' | 'Ip'; readonly ranges: readonly ValueRange[] }
  | { readonly of: 'Bytes'; readonly values: readonly string[] };

/** A test of one operand against fixed values. */
export interface Membership {
  readonly operand: Operand;
  readonly members: MemberSet;
}

/** Returns a comparison as a membership test; undefined when it is none. `x eq v` and `x in {v}` are the same test (`rules-language.md` 6.3). */
export function membershipOf(comparison: Comparison): Membership | undefined {
  const { operator, right, left } = comparison;
  if (operator === 'in' && right.kind === 'set') {
    return { operand: left, members: setMembers(right) };
  }
  if (operator === 'eq' && right.kind !== 'operand') {
    return { operand: left, members: literalMembers(right) };
  }
  return undefined;
}

/** Joins the members of all tests of one operand: sorted, without duplicates and overlaps; empty when there are no tests. */
function joinMembers(all: readonly MemberSet[]): MemberSet {
  const of = all[0]?.of;
  return of === 'Int' || of === 'Ip'
    ? { of, ranges: mergeRanges(all.flatMap((one) => (one.of === 'Bytes' ? [] : one.ranges))) }
    : bytesMembers(all.flatMap((one) => (one.of === 'Bytes' ? one.values : [])));
}

/** Returns a text that is the same for equal members. */
function describeMembers(members: MemberSet): string {
  return members.of === 'Bytes'
    ? members.values.map((value) => `${value.length}:${value}`).join(',')
    : members.ranges
        .map(({ family, first, last }) => `${first}-${last}${family === undefined ? '' : `/${family}`}`)
        .join(',');
}

function setMembers(set: SetLiteral): MemberSet {
  switch (set.of) {
    case 'Int':
      return { of: 'Int', ranges: mergeRanges(set.items) };
    case 'Ip':
      return { of: 'Ip', ranges: mergeRanges(set.items.map(({ range }) => range)) };
    case 'Bytes':
      return bytesMembers(set.items.map(({ value }) => value));
    default:
      return set satisfies never;
  }
}

/** Returns a literal as the only member. */
export function literalMembers(literal: Literal): MemberSet {
  switch (literal.kind) {
    case 'int':
      return { of: 'Int', ranges: [{ first: literal.value, last: literal.value }] };
    case 'ip': {
      const { family, value } = literal.value;
      return { of: 'Ip', ranges: [{ family, first: value, last: value }] };
    }
    case 'bytes':
      return { of: 'Bytes', values: [literal.value] };
    default:
      return literal satisfies never;
  }
}

function bytesMembers(values: readonly string[]): MemberSet {
  return { of: 'Bytes', values: [...new Set(values)].sort() };
}

/**
 * Gives equal descriptions equal numbers, so that trees are compared by number and large ones are never written out: a description
 * names its parts by their numbers.
 */
export interface Numbering {
  readonly numbers: Map<string, number>;
  /** The numbers of the conditions already visited, by sense, so that none is visited twice. */
  readonly known: Readonly<Record<Sense, WeakMap<Condition, number>>>;
}

/** Whether a condition is meant as it stands or negated. */
export type Sense = 'as is' | 'negated';

/** The other sense: what `not` makes of one. */
export const OPPOSITE = { 'as is': 'negated', negated: 'as is' } as const;

/** What `and` and `or` become under a negation (De Morgan). */
export const DUAL = { and: 'or', or: 'and' } as const;

/** Returns an empty numbering. Numbers of different numberings cannot be compared. */
export function newNumbering(): Numbering {
  return { numbers: new Map(), known: { 'as is': new WeakMap(), negated: new WeakMap() } };
}

/** Returns the number of a description, a new one when the description is new. */
function numberOf(numbering: Numbering, description: string): number {
  const known = numbering.numbers.get(description);
  if (known !== undefined) {
    return known;
  }
  const next = numbering.numbers.size;
  numbering.numbers.set(description, next);
  return next;
}

/**
 * Returns the number of an expression's meaning: expressions with the same number provably mean the same (`rules-language.md` 6.3).
 *
 * Normal form: no parentheses; `not` pushed inwards to single tests by De Morgan, never into an operator (a missing value makes `not a eq
 * b` true and `a ne b` false); operands of one operator in one flat list, sorted, without duplicates; tests of one operand against fixed
 * values joined into one set. Inside any/all, where conditions are lists, the order is kept and `not` stays.
 */
export function meaningOfTree(numbering: Numbering, tree: Tree): number {
  return tree.mode === 'filter'
    ? meaningOf(numbering, tree.root)
    : numberOf(numbering, `value ${meaningOfOperand(numbering, tree.root)}`);
}

/** Returns the number of a condition's meaning. */
export function meaningOf(numbering: Numbering, condition: Condition): number {
  return conditionType(condition).kind === 'Bool'
    ? logical(numbering, condition, 'as is')
    : elementwise(numbering, condition);
}

/** Returns the number of an operand's meaning. */
export function meaningOfOperand(numbering: Numbering, { source, indexes }: Operand): number {
  const ends = indexes.map(describeIndex).join('');
  if (source.kind === 'field') {
    return numberOf(numbering, `field ${source.name}${ends}`);
  }
  const given = source.arguments.map((argument) => meaningOfArgument(numbering, argument));
  return numberOf(numbering, `call ${source.name}(${given.join(',')})${ends}`);
}

function logical(numbering: Numbering, given: Condition, sense: Sense): number {
  const condition = ungroup(given);
  const known = numbering.known[sense].get(condition);
  if (known !== undefined) {
    return known;
  }
  const number = workOut(numbering, condition, sense);
  numbering.known[sense].set(condition, number);
  return number;
}

function workOut(numbering: Numbering, condition: Ungrouped, sense: Sense): number {
  switch (condition.kind) {
    case 'not':
      return logical(numbering, condition.item, OPPOSITE[sense]);
    case 'or':
    case 'and': {
      const operator = sense === 'as is' ? condition.kind : DUAL[condition.kind];
      const parts = newParts();
      gather(numbering, { condition, operator, sense, parts });
      return joined(numbering, operator, parts);
    }
    case 'xor':
      return exclusive(numbering, condition, sense);
    default:
      return signed(numbering, { test: single(numbering, condition), sense });
  }
}

interface MeaningParts {
  readonly numbers: Set<number>;
  /** Tests of one operand against fixed values, by the operand's number. */
  readonly members: Map<number, MemberSet[]>;
}

function newParts(): MeaningParts {
  return { numbers: new Set(), members: new Map() };
}

interface Gathering {
  readonly condition: Condition;
  /** The operator of the list, after De Morgan. */
  readonly operator: 'and' | 'or';
  readonly sense: Sense;
  readonly parts: MeaningParts;
}

/** Gathers the operands of one operator, through parentheses, `not` and nested lists of the same operator. */
function gather(numbering: Numbering, { condition: given, operator, sense, parts }: Gathering): void {
  const condition = ungroup(given);
  if (condition.kind === 'not') {
    gather(numbering, { condition: condition.item, operator, sense: OPPOSITE[sense], parts });
    return;
  }
  const same = sense === 'as is' ? operator : DUAL[operator];
  if (condition.kind === same) {
    for (const item of condition.items) {
      gather(numbering, { condition: item, operator, sense, parts });
    }
    return;
  }
  // `a eq x or a eq y` is one set, and so is its negation, `not a eq x and not a eq y`. Of the other two pairs only equal tests are joined.
  const joinable = (operator === 'or') === (sense === 'as is');
  const membership = joinable && condition.kind === 'comparison' ? membershipOf(condition) : undefined;
  if (membership === undefined) {
    parts.numbers.add(logical(numbering, condition, sense));
    return;
  }
  const operand = meaningOfOperand(numbering, membership.operand);
  const known = parts.members.get(operand);
  if (known === undefined) {
    parts.members.set(operand, [membership.members]);
  } else {
    known.push(membership.members);
  }
}

function joined(numbering: Numbering, operator: 'and' | 'or', parts: MeaningParts): number {
  const sense = operator === 'or' ? 'as is' : 'negated';
  for (const [operand, members] of parts.members) {
    const test = membershipNumber(numbering, operand, joinMembers(members));
    parts.numbers.add(signed(numbering, { test, sense }));
  }
  const [only] = parts.numbers;
  if (parts.numbers.size === 1 && only !== undefined) {
    return only;
  }
  return numberOf(numbering, `${operator} ${sorted(parts.numbers).join(' ')}`);
}

/**
 * The truth of `xor` is the parity of its operands: each is replaced by the lower-numbered of itself and its negation, and the whole is
 * negated for an odd number of replacements by a negation.
 */
function exclusive(numbering: Numbering, condition: Condition, sense: Sense): number {
  let negated = sense === 'negated';
  const numbers = flatten(condition, 'xor').map((item) => {
    const plain = logical(numbering, item, 'as is');
    const opposite = logical(numbering, item, 'negated');
    negated = plain < opposite ? negated : !negated;
    return Math.min(plain, opposite);
  });
  const test = numberOf(numbering, `xor ${sorted(numbers).join(' ')}`);
  return signed(numbering, { test, sense: negated ? 'negated' : 'as is' });
}

/** Returns the number of a condition whose value is a list: order and `not` stay as they are. */
function elementwise(numbering: Numbering, given: Condition): number {
  const condition = ungroup(given);
  switch (condition.kind) {
    case 'not': {
      const inner = ungroup(condition.item);
      return inner.kind === 'not'
        ? elementwise(numbering, inner.item)
        : signed(numbering, { test: elementwise(numbering, inner), sense: 'negated' });
    }
    case 'or':
    case 'xor':
    case 'and': {
      const items = flatten(condition, condition.kind).map((item) => elementwise(numbering, item));
      return numberOf(numbering, `list ${condition.kind} ${items.join(' ')}`);
    }
    default:
      return single(numbering, condition);
  }
}

type AtomicCondition = Extract<Condition, { readonly kind: 'quantifier' | 'bare' | 'comparison' }>;

function single(numbering: Numbering, test: AtomicCondition): number {
  switch (test.kind) {
    case 'quantifier':
      return numberOf(numbering, `${test.quantifier} ${meaningOfArgument(numbering, test.argument)}`);
    case 'bare':
      return numberOf(numbering, `bare ${meaningOfOperand(numbering, test.operand)}`);
    case 'comparison':
      return comparisonNumber(numbering, test);
    default:
      return test satisfies never;
  }
}

function comparisonNumber(numbering: Numbering, comparison: Comparison): number {
  const membership = membershipOf(comparison);
  const operand = meaningOfOperand(numbering, comparison.left);
  if (membership !== undefined) {
    return membershipNumber(numbering, operand, membership.members);
  }
  const bound = wholeBound(comparison);
  if (bound !== undefined) {
    return numberOf(numbering, `${bound.operator} ${operand} literal ${bound.value}`);
  }
  const right = describeRight(numbering, comparison.right);
  return numberOf(numbering, `${comparison.operator} ${operand} ${right}`);
}

const BEFORE_AND_FROM = { lt: 'lt', le: 'lt', gt: 'ge', ge: 'ge' } as const;

/** Returns the bound of a comparison of whole numbers: `x le 8` is `x lt 9`, and both are false without a value. */
function wholeBound({
  operator,
  right,
}: Comparison): { readonly operator: 'lt' | 'ge'; readonly value: bigint } | undefined {
  return right.kind === 'int' &&
    (operator === 'lt' || operator === 'le' || operator === 'gt' || operator === 'ge')
    ? {
        operator: BEFORE_AND_FROM[operator],
        value: operator === 'lt' || operator === 'ge' ? right.value : right.value + 1n,
      }
    : undefined;
}

function membershipNumber(numbering: Numbering, operand: number, members: MemberSet): number {
  return numberOf(numbering, `in ${operand} ${describeMembers(members)}`);
}

function describeRight(numbering: Numbering, right: RightSide): string {
  switch (right.kind) {
    case 'operand':
      return `operand ${meaningOfOperand(numbering, right)}`;
    case 'list':
      return `list ${right.name}`;
    case 'regex':
    case 'wildcard-pattern':
      return `pattern ${right.pattern}`;
    case 'set':
      return 'set';
    default:
      return `literal ${printLiteral(right)}`;
  }
}

function meaningOfArgument(numbering: Numbering, argument: Argument): number {
  switch (argument.kind) {
    case 'operand':
      return meaningOfOperand(numbering, argument);
    case 'condition':
      return numberOf(numbering, `condition ${meaningOf(numbering, argument.condition)}`);
    default:
      return numberOf(numbering, `literal ${argument.kind} ${printLiteral(argument)}`);
  }
}

function describeIndex(index: Index): string {
  if (index.kind === 'each') {
    return '[*]';
  }
  return index.kind === 'key' ? `[${index.key.length}:${index.key}]` : `[${index.index}]`;
}

function signed(
  numbering: Numbering,
  { test, sense }: { readonly test: number; readonly sense: Sense },
): number {
  return sense === 'as is' ? test : numberOf(numbering, `not ${test}`);
}

function sorted(numbers: Iterable<number>): readonly number[] {
  return [...numbers].sort((one, other) => one - other);
}
