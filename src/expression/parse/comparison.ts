import type {
  Bare,
  Comparison,
  ListName,
  Literal,
  Operand,
  Operator,
  OperatorToken,
  SetLiteral,
  RegexLiteral,
  WildcardLiteral,
} from '../language/ast.ts';
import { debugText, debugType } from '../language/signature.ts';
import { showBytes } from '../language/source-bytes.ts';
import { BOOL, arrayOf, isCollection, sameType } from '../values/type.ts';
import type { Type } from '../values/type.ts';
import { regexProblem } from '../regex/regex-problem.ts';
import { parseWildcard } from '../values/wildcard.ts';
import { readAddress, readAddressRange, readInteger, readIntegerRange } from './literals.ts';
import { atKnownName, readOperand } from './parse-operand.ts';
import {
  LIST_CHARACTERS,
  runEnd,
  afterSpace,
  at,
  expectedName,
  fail,
  failedIn,
  skipSpace,
  spanFrom,
  readLiteral,
} from './reader.ts';
import { OPERATORS, comparisonAt } from './operator.ts';
import type { Reader } from './reader.ts';
import { readBytes, missingQuote, readRaw, readString, unexpectedEnd } from './literal-text.ts';

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

/** Returns the operators that a left side of a type can have. */
export function operatorsOf(type: Type): readonly Operator[] {
  return OPERATORS.filter((operator) => supports(type, operator));
}

function unsupported(
  reader: Reader,
  { type, start, end }: { readonly type: Type; readonly start: number; readonly end: number },
): undefined {
  const message = `cannot perform this operation on type ${debugType(type)}`;
  return fail(reader, { kind: 'UnsupportedOp', message, start, end });
}

/** A comparison up to its right side. */
interface ComparisonHead<One extends Operator> {
  readonly left: Operand;
  readonly operator: One;
  readonly token: OperatorToken;
}

/** Reads the right side that the operator takes. */
function readRightSide(
  reader: Reader,
  { left, operator, token }: ComparisonHead<Operator>,
): Comparison | undefined {
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
  { left, operator, token }: ComparisonHead<One>,
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
function readOrdered(
  reader: Reader,
  { left, operator }: ComparisonHead<Operator>,
): Literal | Operand | undefined {
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

/** Reads `{...}` with items of the left side's type; white space between items is optional (1.2). */
function readSet(reader: Reader, type: Type): SetLiteral | undefined {
  const start = reader.position;
  if (!readLiteral(reader, '{')) {
    return undefined;
  }
  switch (type.kind) {
    case 'Int': {
      const items = readItems(reader, readIntegerRange);
      return items && { kind: 'set', of: 'Int', items, span: spanFrom(reader, start) };
    }
    case 'Ip': {
      const items = readItems(reader, readAddressRange);
      return items && { kind: 'set', of: 'Ip', items, span: spanFrom(reader, start) };
    }
    default: {
      const items = readItems(reader, readBytes);
      return items && { kind: 'set', of: 'Bytes', items, span: spanFrom(reader, start) };
    }
  }
}

function readItems<Item>(
  reader: Reader,
  readItem: (reader: Reader) => Item | undefined,
): readonly Item[] | undefined {
  const items: Item[] = [];
  for (;;) {
    skipSpace(reader);
    if (at(reader, '}')) {
      reader.position += 1;
      return items;
    }
    const item = readItem(reader);
    if (item === undefined) {
      return undefined;
    }
    items.push(item);
  }
}

/** Reads a regular expression: quoted (with an escaping of its own) or raw (1.3). */
function readRegex(reader: Reader): RegexLiteral | undefined {
  const start = reader.position;
  if (start >= reader.bytes.length) {
    return unexpectedEnd(reader);
  }
  const form = at(reader, '"') ? 'quoted' : 'raw';
  if (form === 'raw' && !at(reader, 'r')) {
    return expectedName(reader, '" or r');
  }
  const pattern = form === 'quoted' ? readQuotedPattern(reader) : readRaw(reader);
  if (pattern === undefined) {
    return undefined;
  }
  const message = regexProblem(pattern, reader.settings.regexSize);
  if (message !== undefined) {
    // The engine points at the pattern between the quotes, but at what follows a raw literal.
    const span =
      form === 'quoted' ? { start: start + 1, end: reader.position - 1 } : { start: reader.position };
    return fail(reader, { kind: 'ParseRegex', message, ...span });
  }
  const text = reader.bytes.slice(start, reader.position);
  return { kind: 'regex', pattern, form, text, span: spanFrom(reader, start) };
}

/** Reads a wildcard pattern: quoted or raw. An invalid pattern is reported over the literal with its quotes. */
function readWildcard(reader: Reader): WildcardLiteral | undefined {
  const string = readString(reader);
  if (string === undefined) {
    return undefined;
  }
  const parsed = parseWildcard(string.value, reader.settings.wildcardStars);
  if (!parsed.ok) {
    return fail(reader, { kind: 'ParseWildcard', message: parsed.message, start: string.span.start });
  }
  const { text, span } = string;
  return {
    kind: 'wildcard-pattern',
    pattern: string.value,
    form: string.form === 'raw' ? 'raw' : 'quoted',
    text,
    span,
  };
}

/**
 * Reads the pattern of a quoted literal: outside a class `\"` gives `"` and any other `\c` stays; inside a class a quote does not end the
 * literal, and `\"` keeps its backslash. A `[` inside a class does not nest for this scan.
 */
function readQuotedPattern(reader: Reader): string | undefined {
  const { bytes } = reader;
  const start = reader.position + 1;
  let inClass = false;
  let pattern = '';
  let kept = start;
  for (let position = start; position < bytes.length; position += 1) {
    const character = bytes.charAt(position);
    if (character === '\\') {
      if (!inClass && bytes.charAt(position + 1) === '"') {
        pattern += bytes.slice(kept, position);
        kept = position + 1;
      }
      position += 1;
    } else if (character === '"' && !inClass) {
      reader.position = position + 1;
      return pattern + bytes.slice(kept, position);
    } else if (character === '[') {
      inClass = true;
    } else if (character === ']') {
      inClass = false;
    }
  }
  return missingQuote(reader, start);
}
