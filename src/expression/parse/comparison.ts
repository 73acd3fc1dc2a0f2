import type {
  Bare,
  Comparison,
  ListName,
  Literal,
  Operand,
  Operator,
  OperatorToken,
} from '../language/ast.ts';
import { debugText, debugType } from '../language/rust-debug.ts';
import { showBytes } from '../language/source.ts';
import { BOOL, arrayOf, isCollection, sameType } from '../values/type.ts';
import type { Type } from '../values/type.ts';
import { readAddress } from './address.ts';
import { readInteger } from './integer.ts';
import { atKnownName, readOperand } from './operand.ts';
import { LIST_CHARACTERS, runEnd } from './characters.ts';
import { comparisonAt } from './operator.ts';
import { readRegex, readWildcard } from './pattern.ts';
import { afterSpace, at, expectedName, fail, failedIn, skipSpace, spanFrom } from './reader.ts';
import type { Reader } from './reader.ts';
import { readSet } from './set.ts';
import { readBytes } from './text.ts';

/** Reads what follows the operand at the start of a condition: an operator and its right side, or nothing for a Bool (1.2). */
export function readComparison(reader: Reader, left: Operand): Comparison | Bare | undefined {
  const { type } = left;
  if (type.kind === 'Bool' || (isCollection(type) && type.of.kind === 'Bool')) {
    return readBare(reader, left);
  }
  const start = afterSpace(reader.bytes, reader.position);
  reader.position = start;
  const found = comparisonAt(reader.bytes, start);
  if (found === undefined) {
    expectedName(reader, 'ComparisonOp');
    return failedIn(reader, { kind: 'comparison', left });
  }
  const { operator, text } = found;
  reader.position += text.length;
  const token = { text, span: spanFrom(reader, start) };
  if (!supports(type, operator)) {
    unsupported(reader, { type, start, end: reader.position });
    return failedIn(reader, { kind: 'comparison', left, operator });
  }
  skipSpace(reader);
  return readRightSide(reader, { left, operator, token });
}

function readBare(reader: Reader, left: Operand): Bare | undefined {
  if (left.type.kind !== 'Bool' && left.each > 0) {
    // The condition would be an Array<Array<Bool>>; the engine reports this with an empty span.
    const end = reader.position;
    unsupported(reader, { type: arrayOf(arrayOf(BOOL)), start: end, end });
    return failedIn(reader, { kind: 'comparison', left });
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

/** A comparison up to its right side. */
interface Head<One extends Operator> {
  readonly left: Operand;
  readonly operator: One;
  readonly token: OperatorToken;
}

/** Reads the right side that the operator takes. */
function readRightSide(reader: Reader, { left, operator, token }: Head<Operator>): Comparison | undefined {
  const { type } = left;
  switch (operator) {
    case 'in': {
      const right = at(reader, '$') ? readListName(reader, type, token.span.start) : readSet(reader, type);
      return complete(reader, { left, operator, token }, right);
    }
    case 'bitwise_and':
      return complete(reader, { left, operator, token }, readInteger(reader));
    case 'contains':
      return complete(reader, { left, operator, token }, readBytes(reader));
    case 'matches':
      return complete(reader, { left, operator, token }, readRegex(reader));
    case 'wildcard':
    case 'strict wildcard':
      return complete(reader, { left, operator, token }, readWildcard(reader));
    default:
      return complete(reader, { left, operator, token }, readOrdered(reader, { left, operator, token }));
  }
}

/** Completes a comparison with its right side; undefined when reading that side failed. */
function complete<One extends Operator, Right>(
  reader: Reader,
  { left, operator, token }: Head<One>,
  right: Right | undefined,
) {
  return right === undefined
    ? failedIn(reader, { kind: 'comparison', left, operator })
    : ({
        kind: 'comparison',
        left,
        token,
        elementwise: left.each > 0,
        operator,
        right,
        span: spanFrom(reader, left.span.start),
      } as const);
}

/**
 * Reads a literal, or a field or call of the same type (10). A name of that type takes precedence, because `cf.ed` is also a byte string.
 * Anything else is read as a literal, and its errors are those of a literal.
 */
function readOrdered(reader: Reader, { left, operator }: Head<Operator>): Literal | Operand | undefined {
  const { type } = left;
  if (!reader.settings.fieldsOnTheRight || !atKnownName(reader)) {
    return readLiteralOf(reader, type);
  }
  const start = reader.position;
  const operand = readOperand(reader);
  if (operand === undefined || (operand.each === 0 && sameType(operand.type, type))) {
    return operand;
  }
  reader.position = start;
  return (
    readLiteralOf(reader, type) ?? failedIn(reader, { kind: 'comparison', left, operator, right: operand })
  );
}

function readLiteralOf(reader: Reader, type: Type): Literal | undefined {
  if (type.kind === 'Int') {
    return readInteger(reader);
  }
  return type.kind === 'Ip' ? readAddress(reader) : readBytes(reader);
}

/** Reads `$name`; `start` is the position of the operator. */
function readListName(reader: Reader, type: Type, start: number): ListName | undefined {
  const dollar = reader.position;
  const from = dollar + 1;
  const name = reader.bytes.slice(from, runEnd(LIST_CHARACTERS, reader.bytes, from));
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
