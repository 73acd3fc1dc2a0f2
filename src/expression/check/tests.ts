import type {
  BytesLiteral,
  Comparison,
  IntLiteral,
  IntRangeItem,
  IpLiteral,
  IpRangeItem,
  Operand,
} from '../ast.ts';
import type { Subject } from './subject.ts';

/** The name of the field that an operand is, without indexes. */
export function plainField({ source, indexes }: Operand): string | undefined {
  return source.kind === 'field' && indexes.length === 0 ? source.name : undefined;
}

/** The field that a test is about: the operand itself, or the one that `lower` and the like are applied to. */
export function fieldOf(operand: Operand): string | undefined {
  const { source } = operand;
  if (source.kind === 'field') {
    return source.name;
  }
  const [first] = source.arguments;
  return first?.kind === 'operand' ? fieldOf(first) : undefined;
}

/** A field and a text that its value is compared with, whole or by its start. */
export interface TextTest {
  readonly field: string;
  readonly how: 'whole' | 'start' | 'part' | 'wildcard';
  readonly literal: Pick<BytesLiteral, 'value' | 'span'>;
}

/** All tests of a field against fixed texts: `eq`, `in {...}`, `contains`, `wildcard`, `starts_with`. */
export function textTests(subject: Subject): readonly TextTest[] {
  return [...subject.comparisons.flatMap(comparisonTexts), ...startTests(subject)];
}

function comparisonTexts({ left, operator, right }: Comparison): readonly TextTest[] {
  const field = plainField(left);
  if (field === undefined) {
    return [];
  }
  if (right.kind === 'bytes') {
    return [{ field, how: operator === 'contains' ? 'part' : 'whole', literal: right }];
  }
  if (right.kind === 'wildcard-pattern') {
    return [{ field, how: 'wildcard', literal: { value: right.pattern, span: right.span } }];
  }
  return right.kind === 'set' && right.of === 'Bytes'
    ? right.items.map((literal) => ({ field, how: 'whole', literal }))
    : [];
}

function startTests({ calls }: Subject): readonly TextTest[] {
  return calls.flatMap(({ name, arguments: [source, literal] }) => {
    const field = name === 'starts_with' && source?.kind === 'operand' ? plainField(source) : undefined;
    return field === undefined || literal?.kind !== 'bytes' ? [] : [{ field, how: 'start', literal }];
  });
}

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
