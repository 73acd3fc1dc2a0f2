import type { Bare, Comparison, ListName, Literal, Operand, Operator } from '../ast.ts';
import { debugText, debugType } from '../rust-debug.ts';
import { mismatch } from '../signature.ts';
import { showBytes } from '../source.ts';
import { arrayOf, BOOL, sameType, typeName } from '../type.ts';
import type { Type } from '../type.ts';
import { readAddress } from './address.ts';
import { readInteger } from './integer.ts';
import { atKnownName, readOperand } from './operand.ts';
import { comparisonAt } from './operator.ts';
import { readRegex, readWildcard } from './pattern.ts';
import { afterSpace, at, expectedName, fail, skipSpace, spanFrom } from './reader.ts';
import type { Reader } from './reader.ts';
import { readSet } from './set.ts';
import { readBytes } from './text.ts';

/** Reads what follows an operand that stands as a condition: an operator and its right side, or nothing for a Bool (1.2). */
export function readComparison(reader: Reader, left: Operand): Comparison | Bare | undefined {
  const { type } = left;
  if (type.kind === 'Bool' || ('of' in type && type.of.kind === 'Bool')) {
    return readBare(reader, left);
  }
  const start = afterSpace(reader.bytes, reader.position);
  reader.position = start;
  const found = comparisonAt(reader.bytes, start);
  if (found === undefined) {
    return expectedName(reader, 'ComparisonOp');
  }
  const { operator, text } = found;
  reader.position += text.length;
  const token = { text, span: spanFrom(reader, start) };
  if (!supports(type, operator)) {
    return unsupported(reader, { type, start, end: reader.position });
  }
  skipSpace(reader);
  const base = { kind: 'comparison', left, token, elementwise: left.each > 0 } as const;
  const rest = readRightSide(reader, { operator, type, start });
  return rest === undefined ? undefined : { ...base, ...rest, span: spanFrom(reader, left.span.start) };
}

function readBare(reader: Reader, left: Operand): Bare | undefined {
  if (left.type.kind !== 'Bool' && left.each > 0) {
    // The condition would be an Array<Array<Bool>>; the engine points at nothing.
    const end = reader.position;
    return unsupported(reader, { type: arrayOf(arrayOf(BOOL)), start: end, end });
  }
  return {
    kind: 'bare',
    operand: left,
    elementwise: left.type.kind !== 'Bool' || left.each > 0,
    span: left.span,
  };
}

const OPERATORS_OF: Readonly<Record<Type['kind'], (operator: Operator) => boolean>> = {
  Int: (operator) => operator === 'bitwise_and' || COMMON.has(operator),
  Ip: (operator) => COMMON.has(operator),
  Bytes: (operator) => operator !== 'bitwise_and',
  Bool: () => false,
  Array: () => false,
  Map: () => false,
};
const COMMON: ReadonlySet<string> = new Set(['in', 'eq', 'ne', 'ge', 'le', 'gt', 'lt']);

function supports(type: Type, operator: Operator): boolean {
  return OPERATORS_OF[type.kind](operator);
}

function unsupported(
  reader: Reader,
  { type, start, end }: { readonly type: Type; readonly start: number; readonly end: number },
): undefined {
  const message = `cannot perform this operation on type ${debugType(type)}`;
  return fail(reader, { kind: 'UnsupportedOp', message, start, end });
}

type Outcome = Comparison extends infer One
  ? One extends Comparison
    ? Pick<One, 'operator' | 'right'>
    : never
  : never;

/** Reads the right side that an operator takes; `start` is where the operator stands. */
function readRightSide(
  reader: Reader,
  { operator, type, start }: { readonly operator: Operator; readonly type: Type; readonly start: number },
): Outcome | undefined {
  switch (operator) {
    case 'in': {
      const right = at(reader, '$') ? readListName(reader, { type, start }) : readSet(reader, type);
      return right && { operator, right };
    }
    case 'bitwise_and': {
      const right = readInteger(reader);
      return right && { operator, right };
    }
    case 'contains': {
      const right = readBytes(reader);
      return right && { operator, right };
    }
    case 'matches': {
      const right = readRegex(reader);
      return right && { operator, right };
    }
    case 'wildcard':
    case 'strict wildcard': {
      const right = readWildcard(reader);
      return right && { operator, right };
    }
    default: {
      const right = readOrdered(reader, type);
      return right && { operator, right };
    }
  }
}

/**
 * Reads a literal, or a field or call of the same type (10). A name that the scheme knows comes first, because `cf.ed` is a byte
 * string as well; everything else is a literal, with the errors of one.
 */
function readOrdered(reader: Reader, type: Type): Literal | Operand | undefined {
  if (!reader.settings.fieldsOnTheRight || !atKnownName(reader)) {
    return readLiteralOf(reader, type);
  }
  const operand = readOperand(reader);
  if (operand === undefined) {
    return undefined;
  }
  const actual = operand.each > 0 ? arrayOf(operand.type) : operand.type;
  if (!sameType(actual, type)) {
    const message = mismatch([typeName(type)], actual);
    return fail(reader, { kind: 'TypeMismatch', message, ...operand.span });
  }
  return operand;
}

function readLiteralOf(reader: Reader, type: Type): Literal | undefined {
  if (type.kind === 'Int') {
    return readInteger(reader);
  }
  return type.kind === 'Ip' ? readAddress(reader) : readBytes(reader);
}

const LIST_CHARACTERS = /[a-z0-9_.]*/y;

function readListName(
  reader: Reader,
  { type, start }: { readonly type: Type; readonly start: number },
): ListName | undefined {
  const dollar = reader.position;
  const from = dollar + 1;
  LIST_CHARACTERS.lastIndex = from;
  const name = LIST_CHARACTERS.exec(reader.bytes)?.[0] ?? '';
  if (name === '' || name.startsWith('.') || name.endsWith('.')) {
    const shown = name === '' ? Array.from(showBytes(reader.bytes.slice(from, from + 4)))[0] : name;
    const message = `invalid list name ${debugText(shown ?? '')}`;
    return fail(reader, { kind: 'InvalidListName', message, start: from });
  }
  reader.position = from + name.length;
  if (!reader.settings.scheme.lists.has(type.kind)) {
    return unsupported(reader, { type, start, end: reader.position });
  }
  return { kind: 'list', name, span: spanFrom(reader, dollar) };
}
