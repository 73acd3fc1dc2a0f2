import { CATALOGUE } from '../language/catalogue.ts';
import type { ParseError } from '../language/parse-error.ts';
import { DEFAULT_COMPILED_SIZE } from '../regex/regex-problem.ts';
import { collectErrors, parseText } from './parse-text.ts';
import type { Mode, ParseResult } from './parse-text.ts';
import type { ParserSettings } from './reader.ts';

/** How to parse a text; everything defaults to the service's settings. */
export interface ParseOptions extends Partial<ParserSettings> {
  /** `filter` for conditions (the default), `value` for what a rewrite, redirect or header computes. */
  readonly mode?: Mode;
}

const DEFAULTS: ParserSettings = {
  scheme: CATALOGUE,
  maximumDepth: 128,
  fieldsOnTheRight: true,
  wildcardStars: Number.POSITIVE_INFINITY,
  regexSize: DEFAULT_COMPILED_SIZE,
};

/**
 * Parses an expression into a tree, or into the first error as the service reports it: kind, message, line, byte column and
 * length (`rules-language.md` 3). Never throws; linear in the length of the text; nesting is bounded.
 */
export function parseExpression(text: string, options?: ParseOptions): ParseResult {
  if (options === undefined) {
    return parseText(text, 'filter', DEFAULTS);
  }
  const { mode = 'filter', ...settings } = options;
  return parseText(text, mode, { ...DEFAULTS, ...settings });
}

/**
 * Returns all errors of an expression, for editors: after an error the parse goes on at the next joining operator. Empty when the
 * expression parses; otherwise the first error is that of `parseExpression`.
 */
export function findErrors(text: string, options: ParseOptions = {}): readonly ParseError[] {
  const { mode = 'filter', ...settings } = options;
  return collectErrors(text, mode, { ...DEFAULTS, ...settings });
}
