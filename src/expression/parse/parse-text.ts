import type { Tree, Argument, ConditionArgument, Literal, Operand } from '../language/ast.ts';
import { conditionType } from '../language/condition-type.ts';
import { locateFailure } from '../language/parse-error.ts';
import type { ParseError } from '../language/parse-error.ts';
import { mismatch } from '../language/signature.ts';
import { trimSource } from '../language/source-bytes.ts';
import { arrayOf, typeName } from '../values/type.ts';
import { readCondition, atQuantifier } from './parse-condition.ts';
import { readOperand } from './parse-operand.ts';
import { afterCombiner, comparisonAt } from './operator.ts';
import { fail, failedIn, afterSpace, at, spanFrom, HEX_DIGITS, NAME_CHARACTERS, runEnd } from './reader.ts';
import type { ParserSettings, Reader } from './reader.ts';
import { clauseEnd, putAside } from './recover.ts';
import { readAddress, readInteger } from './literals.ts';
import { readComparison } from './comparison.ts';
import { readBytes } from './literal-text.ts';

/** Reads an argument of a call or a quantifier; its first characters say what it is (1.5). */
function readArgument(reader: Reader): Argument | undefined {
  if (at(reader, '"') || at(reader, 'r"') || at(reader, 'r#')) {
    return readBytes(reader);
  }
  if (at(reader, '(') || at(reader, 'not') || at(reader, '!') || atQuantifier(reader)) {
    return readWholeCondition(reader);
  }
  if (isSurelyName(reader)) {
    const operand = readOperand(reader);
    return operand && readAfterOperand(reader, operand);
  }
  return readGuessing(reader);
}

/** Whether one of the first three characters can be in a name, but not in a number or a byte string: the argument is a name. */
function isSurelyName({ bytes, position }: Reader): boolean {
  const hexEnd = runEnd(HEX_DIGITS, bytes, position);
  return hexEnd < position + 3 && runEnd(NAME_CHARACTERS, bytes, hexEnd) > hexEnd;
}

function readWholeCondition(reader: Reader): ConditionArgument | undefined {
  const start = reader.position;
  const { collected } = reader;
  // A parse that collects failures stops at the first failure inside an argument, and goes on after the clause around it.
  reader.collected = undefined;
  const condition = readCondition(reader);
  reader.collected = collected;
  return condition && { kind: 'condition', condition, span: spanFrom(reader, start) };
}

/** Reads an argument that starts with an operand: alone it is a value, with an operator after it a single comparison. */
function readAfterOperand(reader: Reader, operand: Operand): Argument | undefined {
  const { start } = operand.span;
  if (comparisonAt(reader.bytes, afterSpace(reader.bytes, reader.position)) === undefined) {
    return operand;
  }
  const condition = readComparison(reader, operand);
  return condition && { kind: 'condition', condition, span: spanFrom(reader, start) };
}

const LITERALS: readonly ((reader: Reader) => Literal | undefined)[] = [readAddress, readInteger, readBytes];

/** Tries each kind of argument in turn; when none fits, the failure does not say why. */
function readGuessing(reader: Reader): Argument | undefined {
  const start = reader.position;
  const { depth } = reader;
  const operand = readOperand(reader);
  if (operand !== undefined) {
    return readAfterOperand(reader, operand);
  }
  reader.depth = depth;
  for (const readLiteral of LITERALS) {
    reader.position = start;
    const literal = readLiteral(reader);
    if (literal !== undefined) {
      reader.failure = undefined;
      return literal;
    }
  }
  return fail(reader, { kind: 'EOF', message: 'unrecognised input', start });
}

/** Which of the two grammars a text follows: conditions, or values for rewrites, redirects and headers. */
export type Mode = Tree['mode'];

/** A tree, or the first error as the service reports it. */
export type ParseResult =
  | { readonly ok: true; readonly tree: Tree }
  | { readonly ok: false; readonly error: ParseError };

/** Parses a whole text. Never throws; the work is linear in the text's length. */
export function parseText(text: string, mode: Mode, settings: ParserSettings): ParseResult {
  const reader = openReader(text, settings);
  const tree = readTree(reader, mode);
  if (tree !== undefined && reader.position < reader.bytes.length) {
    leftOver(reader, mode);
  } else if (tree !== undefined) {
    return { ok: true, tree };
  }
  return { ok: false, error: located(reader)[0] ?? unexplained() };
}

/** Parses a whole text and goes on after each error at the next joining operator. The first error is that of `parseText`. */
export function collectErrors(text: string, mode: Mode, settings: ParserSettings): readonly ParseError[] {
  if (mode === 'value') {
    const result = parseText(text, mode, settings);
    return result.ok ? [] : [result.error];
  }
  const reader = openReader(text, settings);
  reader.collected = [];
  for (;;) {
    const tree = readTree(reader, mode);
    if (tree === undefined) {
      putAside(reader);
      break;
    }
    if (reader.position >= reader.bytes.length) {
      break;
    }
    const start = reader.position;
    leftOver(reader, mode);
    putAside(reader);
    const next = afterCombiner(reader.bytes, clauseEnd(reader.bytes, { start, failedAt: start + 1 }));
    if (next === undefined) {
      break;
    }
    reader.position = next;
    reader.depth = 0;
  }
  return located(reader);
}

function openReader(text: string, settings: ParserSettings): Reader {
  const { bytes, start } = trimSource(text);
  const position = start;
  return { bytes, settings, readArgument, position, depth: 0, failure: undefined, collected: undefined };
}

function readTree(reader: Reader, mode: Mode): Tree | undefined {
  const start = reader.position;
  if (mode === 'value') {
    const root = readOperand(reader);
    if (root === undefined) {
      return failedIn(reader, { kind: 'value' });
    }
    if (root.each > 0) {
      const message = mismatch([typeName(root.type)], arrayOf(root.type));
      return fail(reader, { kind: 'TypeMismatch', message, start });
    }
    return { mode, root };
  }
  const root = readCondition(reader);
  if (root === undefined) {
    return undefined;
  }
  const type = conditionType(root);
  return type.kind === 'Bool' ? { mode, root } : notBool(reader, typeName(type));
}

function notBool(reader: Reader, actual: string): undefined {
  const message = `expected value of type Bool, but got ${actual}`;
  return fail(reader, { kind: 'TypeMismatch', message, start: reader.position });
}

function leftOver(reader: Reader, mode: Mode): undefined {
  fail(reader, { kind: 'EOF', message: 'unrecognised input', start: reader.position });
  return failedIn(reader, { kind: 'rest', mode });
}

function located(reader: Reader): readonly ParseError[] {
  const failures = reader.collected ?? (reader.failure === undefined ? [] : [reader.failure]);
  const inOrder = [...failures].sort((one, other) => one.span.start - other.span.start);
  return inOrder.map((failure) => locateFailure(reader.bytes, failure));
}

function unexplained(): ParseError {
  const span = { start: 0, end: 0 };
  return { kind: 'EOF', message: 'unrecognised input', span, line: 1, column: 1, length: 0 };
}
