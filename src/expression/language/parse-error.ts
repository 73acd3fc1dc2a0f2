import type { Type } from '../values/type.ts';
import { encodeBytes } from '../values/bytes.ts';
import type { Operand, Operator, Quantifier, Span, Tree } from './ast.ts';
import { showBytes } from './source-bytes.ts';
import type { ParseErrorKind } from './parse-error-kind.ts';
import type { FunctionSignature } from './signature.ts';

/** What the parser was reading when it failed, for our explanations; the engine does not report it. */
export type ParseReading =
  | {
      readonly kind: 'comparison';
      readonly left: Operand;
      readonly operator?: Operator;
      /** What stands on the right, where it is a field or call of another type. */
      readonly right?: Operand;
    }
  | { readonly kind: 'argument'; readonly signature: FunctionSignature; readonly index: number }
  | { readonly kind: 'quantifier'; readonly quantifier: Quantifier['quantifier']; readonly type: Type }
  | { readonly kind: 'index'; readonly type: Type }
  /** A value expression. */
  | { readonly kind: 'value' }
  /** Text after a complete expression. */
  | { readonly kind: 'rest'; readonly mode: Tree['mode'] };

/** A failure before its line and column are computed. */
export interface ParseFailure {
  readonly kind: ParseErrorKind;
  /** The engine's message; may have several lines (ParseRegex). */
  readonly message: string;
  /** Byte offsets in the whole text; may reach over several lines. */
  readonly span: Span;
  readonly reading?: ParseReading;
}

/** Why a text does not parse, with the engine's kind, message and position (`rules-language.md` 3). */
export interface ParseError extends ParseFailure {
  /** Line, from 1; only LF ends a line. */
  readonly line: number;
  /** Byte column in that line, from 1. */
  readonly column: number;
  /** The number of bytes in question, up to the end of the line. */
  readonly length: number;
}

/** Computes the line, column and length of a failure; `bytes` is the text as a binary string. */
export function locateFailure(bytes: string, failure: ParseFailure): ParseError {
  const { start, end } = failure.span;
  let line = 1;
  let lineStart = 0;
  for (let feed = bytes.indexOf('\n'); feed !== -1 && feed < start; feed = bytes.indexOf('\n', feed + 1)) {
    line += 1;
    lineStart = feed + 1;
  }
  const feed = bytes.indexOf('\n', lineStart);
  const lineEnd = feed === -1 ? bytes.length : feed;
  return { ...failure, line, column: start - lineStart + 1, length: Math.min(end, lineEnd) - start };
}

/**
 * Returns the text that the service prints for a parse error: a header, the line, and carets with the message (`rules-language.md` 3).
 * Columns count bytes, as the service counts them. Each of the three lines ends with LF.
 */
export function formatParseError(text: string, error: ParseError): string {
  const line = encodeBytes(text).split('\n')[error.line - 1] ?? '';
  const carets = ' '.repeat(error.column - 1) + '^'.repeat(Math.max(1, error.length));
  return `Filter parsing error (${error.line}:${error.column}):\n${showBytes(line)}\n${carets} ${error.message}\n`;
}
