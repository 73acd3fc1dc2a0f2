import type { Tree } from '../language/ast.ts';
import { conditionType } from '../language/condition-type.ts';
import { locateFailure } from '../language/parse-error.ts';
import type { ParseError } from '../language/parse-error.ts';
import { mismatch } from '../language/signature.ts';
import { trimSource } from '../language/source.ts';
import { arrayOf, typeName } from '../values/type.ts';
import { readArgument } from './argument.ts';
import { readCondition } from './condition.ts';
import { readOperand } from './operand.ts';
import { afterCombiner } from './operator.ts';
import { fail, failedIn } from './reader.ts';
import type { ParserSettings, Reader } from './reader.ts';
import { clauseEnd, putAside } from './recover.ts';

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
