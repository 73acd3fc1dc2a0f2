import type { FunctionCall, Field, Index, Operand, Argument } from '../language/ast.ts';
import { debugText, debugType, checkArgument, mostArguments, returnType } from '../language/signature.ts';
import { showBytes } from '../language/source-bytes.ts';
import type { Type } from '../values/type.ts';
import { isCollection, arrayOf } from '../values/type.ts';
import { decodeBytes } from '../values/bytes.ts';
import { argumentType } from '../language/condition-type.ts';
import type { FunctionSignature } from '../language/signature.ts';
import {
  NAME_CHARACTERS,
  runEnd,
  at,
  expectedLiteral,
  expectedName,
  fail,
  failedIn,
  readLiteral,
  skipSpace,
  spanFrom,
  descend,
} from './reader.ts';
import { readInteger } from './literals.ts';
import type { Reader } from './reader.ts';
import { readBytes } from './literal-text.ts';

const LARGEST_INDEX = 2n ** 32n - 1n;
const OPENING = 0x5b;
const DOT = 0x2e;
const NO_INDEXES: readonly Index[] = [];

/** Reads a field or a call with its indexes (1.2). */
export function readOperand(reader: Reader): Operand | undefined {
  const start = reader.position;
  const source = readSource(reader);
  if (source === undefined) {
    return undefined;
  }
  if (reader.bytes.charCodeAt(reader.position) !== OPENING) {
    const { type, span } = source;
    return { kind: 'operand', source, indexes: NO_INDEXES, type, each: 0, span };
  }
  const indexes: Index[] = [];
  let { type } = source;
  let each = 0;
  while (at(reader, '[')) {
    const index = readIndex(reader);
    const inner = index === undefined ? undefined : applyIndex(reader, index, type);
    if (index === undefined || inner === undefined) {
      return undefined;
    }
    indexes.push(index);
    type = inner;
    each += index.kind === 'each' ? 1 : 0;
  }
  return { kind: 'operand', source, indexes, type, each, span: spanFrom(reader, start) };
}

/** Whether a name that the scheme knows starts at the reader's position: the longest run of name characters and dots. */
export function atKnownName(reader: Reader): boolean {
  const { scheme } = reader.settings;
  const end = nameEnd(reader.bytes, reader.position);
  if (end === reader.position) {
    return false;
  }
  const name = reader.bytes.slice(reader.position, end);
  return scheme.fields.has(name) || scheme.functions.has(name);
}

function nameEnd(bytes: string, start: number): number {
  let end = runEnd(NAME_CHARACTERS, bytes, start);
  while (end > start && bytes.charCodeAt(end) === DOT) {
    const next = runEnd(NAME_CHARACTERS, bytes, end + 1);
    if (next === end + 1) {
      return end;
    }
    end = next;
  }
  return end;
}

function readSource(reader: Reader): Field | FunctionCall | undefined {
  const start = reader.position;
  const end = nameEnd(reader.bytes, start);
  reader.position = end;
  if (end === start || reader.bytes.charCodeAt(end) === DOT) {
    reader.position = end === start ? end : end + 1;
    return expectedName(reader, 'identifier character');
  }
  const name = reader.bytes.slice(start, end);
  const type = reader.settings.scheme.fields.get(name);
  if (type !== undefined) {
    return { kind: 'field', name, type, span: { start, end } };
  }
  const signature = reader.settings.scheme.functions.get(name);
  if (signature === undefined) {
    return fail(reader, { kind: 'UnknownIdentifier', message: 'unknown identifier', start, end });
  }
  return readCall(reader, { signature, start });
}

/** Reads `[...]`; whether it fits the type is checked afterwards. */
function readIndex(reader: Reader): Index | undefined {
  const start = reader.position;
  reader.position += 1;
  skipSpace(reader);
  const content = readIndexContent(reader);
  if (content === undefined) {
    return undefined;
  }
  skipSpace(reader);
  return readLiteral(reader, ']') ? { ...content, span: spanFrom(reader, start) } : undefined;
}

function readIndexContent(reader: Reader): Index | undefined {
  const start = reader.position;
  if (at(reader, '*')) {
    reader.position += 1;
    return { kind: 'each', span: spanFrom(reader, start) };
  }
  if (at(reader, '"')) {
    const literal = readBytes(reader);
    if (literal === undefined) {
      return undefined;
    }
    if (decodeBytes(literal.value) === undefined) {
      reader.position = start;
      return expectedLiteral(reader, 'expected utf8 string');
    }
    return { kind: 'key', key: literal.value, literal, span: literal.span };
  }
  const literal = readInteger(reader);
  if (literal !== undefined && literal.value >= 0n && literal.value <= LARGEST_INDEX) {
    return { kind: 'element', index: Number(literal.value), text: literal.text, span: literal.span };
  }
  reader.position = start;
  const wanted =
    literal === undefined ? 'quoted utf8 string or positive integer' : 'positive integer as index';
  return expectedLiteral(reader, `expected ${wanted}`);
}

function applyIndex(reader: Reader, index: Index, type: Type): Type | undefined {
  const fits =
    isCollection(type) && (index.kind === 'each' || (index.kind === 'key') === (type.kind === 'Map'));
  if (fits) {
    return type.of;
  }
  const message = `cannot access index ${describeIndex(index)} for type ${debugType(type)}`;
  fail(reader, { kind: 'InvalidIndexAccess', message, ...index.span });
  return failedIn(reader, { kind: 'index', type });
}

function describeIndex(index: Index): string {
  if (index.kind === 'each') {
    return 'MapEach';
  }
  return index.kind === 'key' ? `MapKey(${debugText(showBytes(index.key))})` : `ArrayIndex(${index.index})`;
}

/** Reads the arguments of a call; the reader stands behind the function's name (1.5). */
function readCall(
  reader: Reader,
  { signature, start }: { readonly signature: FunctionSignature; readonly start: number },
): FunctionCall | undefined {
  skipSpace(reader);
  if (!descend(reader, reader.position) || !readLiteral(reader, '(')) {
    return undefined;
  }
  skipSpace(reader);
  const given = readArguments(reader, signature);
  if (given === undefined || !readLiteral(reader, ')')) {
    return undefined;
  }
  reader.depth -= 1;
  const [first] = given;
  const elementwise = first?.kind === 'operand' && first.each > 0;
  const type = returnType(signature, first === undefined ? undefined : argumentType(first));
  return {
    kind: 'call',
    name: signature.name,
    arguments: given,
    type: elementwise ? arrayOf(type) : type,
    elementwise,
    span: spanFrom(reader, start),
  };
}

function readArguments(reader: Reader, signature: FunctionSignature): readonly Argument[] | undefined {
  const given: Argument[] = [];
  let first: Type | undefined;
  while (reader.position < reader.bytes.length && !at(reader, ')')) {
    if (given.length > 0 && !readLiteral(reader, ',')) {
      return undefined;
    }
    skipSpace(reader);
    const start = reader.position;
    const argument = reader.readArgument(reader);
    if (argument === undefined) {
      return failedIn(reader, { kind: 'argument', signature, index: given.length });
    }
    const type = argumentType(argument);
    first ??= type;
    if (!fits(reader, signature, { argument, type, first, index: given.length, start })) {
      return failedIn(reader, { kind: 'argument', signature, index: given.length });
    }
    given.push(argument);
    skipSpace(reader);
  }
  if (given.length >= signature.mandatory.length) {
    return given;
  }
  wrongCount(reader, reader.position);
  return failedIn(reader, { kind: 'argument', signature, index: given.length });
}

interface ParsedArgument {
  readonly argument: Argument;
  readonly type: Type;
  readonly first: Type;
  readonly index: number;
  readonly start: number;
}

/** Checks an argument in the engine's order: `[*]`, count, kind, type, constant value. */
function fits(reader: Reader, signature: FunctionSignature, candidate: ParsedArgument): boolean {
  const { argument, type, first, index, start } = candidate;
  const end = reader.position;
  if (index > 0 && argument.kind === 'operand' && argument.each > 0) {
    fail(reader, {
      kind: 'InvalidMapEachAccess',
      message: 'invalid use of map each access operator',
      start,
      end,
    });
    return false;
  }
  const most = mostArguments(signature);
  if (most !== undefined && index >= most) {
    wrongCount(reader, start);
    return false;
  }
  const refusal = checkArgument(signature, { index, given: { argument, type }, first });
  if (refusal !== undefined) {
    fail(reader, { ...refusal, start, end });
    return false;
  }
  return true;
}

function wrongCount(reader: Reader, start: number): undefined {
  return fail(reader, { kind: 'InvalidArgumentsCount', message: 'invalid number of arguments', start });
}
