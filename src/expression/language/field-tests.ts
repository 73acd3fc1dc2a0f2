import type {
  BytesLiteral,
  FunctionCall,
  Comparison,
  Condition,
  IntLiteral,
  IntRangeItem,
  IpLiteral,
  IpRangeItem,
  Operand,
  Combination,
  Group,
  Not,
} from './ast.ts';

/** A condition that is not in parentheses. */
export type Ungrouped = Exclude<Condition, Group>;

/** The condition without the parentheses around it. */
export function ungroup(condition: Condition): Ungrouped {
  let inner = condition;
  while (inner.kind === 'group') {
    inner = inner.item;
  }
  return inner;
}

/** A condition that is not made of others by `and`, `or`, `xor`, `not` and parentheses. */
export type Leaf = Exclude<Condition, Combination | Group | Not>;

/** The leaves of a condition, in the order written. */
export function leavesOf(condition: Condition): readonly Leaf[] {
  switch (condition.kind) {
    case 'or':
    case 'xor':
    case 'and':
      return condition.items.flatMap(leavesOf);
    case 'not':
    case 'group':
      return leavesOf(condition.item);
    default:
      return [condition];
  }
}

/** Whether a condition is an `and`, `or` or `xor`. */
export function isJoined(condition: Condition): condition is Combination {
  return condition.kind === 'or' || condition.kind === 'xor' || condition.kind === 'and';
}

/** Returns the operands of one operator in one list, through parentheses and nested combinations of the same operator. */
export function flatten(condition: Condition, kind: Combination['kind']): readonly Ungrouped[] {
  const flat: Ungrouped[] = [];
  gather(condition, kind, flat);
  return flat;
}

function gather(condition: Condition, kind: Combination['kind'], into: Ungrouped[]): void {
  const inner = ungroup(condition);
  if (inner.kind !== kind) {
    into.push(inner);
    return;
  }
  for (const item of inner.items) {
    gather(item, kind, into);
  }
}

/** Returns the name of an operand that is a field without indexes; undefined for any other operand. */
export function plainField({ source, indexes }: Operand): string | undefined {
  return source.kind === 'field' && indexes.length === 0 ? source.name : undefined;
}

/** Returns the field that a test is about: the operand itself, or the field to which `lower` and the like are applied. */
export function fieldOf(operand: Operand): string | undefined {
  const { source } = operand;
  if (source.kind === 'field') {
    return source.name;
  }
  const [first] = source.arguments;
  return first?.kind === 'operand' ? fieldOf(first) : undefined;
}

/** Returns the field that all tests of a condition are about; undefined where they are about more than one. */
export function testedField(condition: Condition): string | undefined {
  const [first, ...others] = leavesOf(condition).map(fieldOfLeaf);
  return others.every((field) => field === first) ? first : undefined;
}

function fieldOfLeaf(leaf: Leaf): string | undefined {
  switch (leaf.kind) {
    case 'comparison':
      return fieldOf(leaf.left);
    case 'bare':
      return fieldOf(leaf.operand);
    default:
      return undefined;
  }
}

/** A test of a field against a fixed text, with all of its value or a part of it. */
export interface TextTest {
  readonly field: string;
  readonly how: 'whole' | 'start' | 'end' | 'part' | 'wildcard';
  readonly literal: Pick<BytesLiteral, 'value' | 'span'>;
}

/** Returns all tests of a field against fixed texts: `eq`, `in {...}`, `contains`, `wildcard`, `starts_with`, `ends_with`. */
export function textTests({
  comparisons,
  calls,
}: {
  readonly comparisons: readonly Comparison[];
  readonly calls: readonly FunctionCall[];
}): readonly TextTest[] {
  const tests: TextTest[] = [];
  for (const comparison of comparisons) {
    addComparison(comparison, tests);
  }
  for (const call of calls) {
    addEdge(call, tests);
  }
  return tests;
}

function addComparison({ left, operator, right }: Comparison, tests: TextTest[]): void {
  const field = plainField(left);
  if (field === undefined) {
    return;
  }
  if (right.kind === 'bytes') {
    tests.push({ field, how: operator === 'contains' ? 'part' : 'whole', literal: right });
  } else if (right.kind === 'wildcard-pattern') {
    tests.push({ field, how: 'wildcard', literal: { value: right.pattern, span: right.span } });
  } else if (right.kind === 'set' && right.of === 'Bytes') {
    for (const literal of right.items) {
      tests.push({ field, how: 'whole', literal });
    }
  }
}

function addEdge({ name, arguments: [source, literal] }: FunctionCall, tests: TextTest[]): void {
  const how = EDGES.get(name);
  const field = source?.kind === 'operand' ? plainField(source) : undefined;
  if (how !== undefined && field !== undefined && literal?.kind === 'bytes') {
    tests.push({ field, how, literal });
  }
}

const EDGES: ReadonlyMap<string, TextTest['how']> = new Map([
  ['starts_with', 'start'],
  ['ends_with', 'end'],
]);

/** The integers of a comparison, as they are written. */
export function integersOf({ right }: Comparison): readonly (IntLiteral | IntRangeItem)[] {
  if (right.kind === 'int') {
    return [right];
  }
  return right.kind === 'set' && right.of === 'Int' ? right.items : [];
}

/** The addresses and ranges of a comparison, as they are written. */
export function addressesOf({ right }: Comparison): readonly (IpLiteral | IpRangeItem)[] {
  if (right.kind === 'ip') {
    return [right];
  }
  return right.kind === 'set' && right.of === 'Ip' ? right.items : [];
}
