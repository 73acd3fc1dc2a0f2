import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyFixes, checkExpression } from '../../src/expression/check-expression.ts';
import { findErrors, parseExpression } from '../../src/expression/parse/parse-expression.ts';
import { formatParseError } from '../../src/expression/language/parse-error.ts';
import { printExpression } from '../../src/expression/print/print-expression.ts';
import { encodeBytes } from '../../src/expression/values/bytes.ts';
import { propertyRuns } from '../property-runs.ts';
import { PARSES } from './cases/parses.ts';
import { REFUSES } from './cases/refuses.ts';
import { CASE_SCHEME } from './cases/scheme.ts';

/** A million in the long run, a thousand in the short one. */
const runs = { numRuns: propertyRuns() >= 10_000 ? 1_000_000 : propertyRuns() * 5 };
const TEXTS = [...PARSES, ...REFUSES].map(([text]) => text);
const PIECES = [
  ' ',
  '\t',
  '\n',
  '(',
  ')',
  '{',
  '}',
  '[',
  ']',
  '[*]',
  '["k"]',
  '"',
  '\\',
  'r"',
  'r#"',
  '#',
  ',',
  '$',
  '$a',
  '..',
  ':',
  '-',
  'and',
  'or',
  'xor',
  'not',
  '!',
  '&&',
  'any(',
  'all(',
  'in',
  'eq',
  '==',
  'ne',
  'lt',
  '&',
  'contains',
  'matches',
  'wildcard',
  'strict wildcard',
  'flag',
  'flags',
  'num',
  'text',
  'texts',
  'map',
  'lists',
  'addr',
  'lower(',
  'concat(',
  'split(',
  '1',
  '0x',
  '08',
  '1.2.3.4',
  '10/8',
  '::1',
  '61:62',
  '"a"',
  '"*"',
  'é',
  '😀',
  '\u0000',
  '\ud800',
  '\u00a0',
];
const soup = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join(''));
const mutated = fc
  .tuple(
    fc.constantFrom(...TEXTS),
    fc.constantFrom(...TEXTS),
    fc.nat(),
    fc.nat(),
    fc.constantFrom('', ...PIECES),
  )
  .map(([text, other, from, length, piece]) => {
    const start = from % (text.length + 1);
    const end = start + (length % 8);
    return text.slice(0, start) + piece + (length % 5 === 0 ? other : '') + text.slice(end);
  });
const anything = fc.oneof(
  { weight: 3, arbitrary: mutated },
  { weight: 3, arbitrary: soup },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);

describe('for every text', () => {
  test('parsing gives a tree that prints, or errors with positions inside it', () => {
    fc.assert(
      fc.property(anything, fc.constantFrom('filter', 'value'), (text, mode) => {
        const options = { scheme: CASE_SCHEME, mode } as const;
        const result = parseExpression(text, options);
        const errors = findErrors(text, options);
        expect(errors[0]).toEqual(result.ok ? undefined : result.error);
        const printed = result.ok ? printExpression(result.tree) : undefined;
        const again = printed === undefined ? result : parseExpression(printed, options);
        expect(again.ok ? printExpression(again.tree) : undefined).toBe(printed);
        const { length } = encodeBytes(text);
        for (const error of errors) {
          expect(error.span.start).toBeGreaterThanOrEqual(0);
          expect(error.span.start).toBeLessThanOrEqual(error.span.end);
          expect(error.span.end).toBeLessThanOrEqual(length);
          expect(error.column).toBeGreaterThan(0);
          expect(error.length).toBeGreaterThanOrEqual(0);
          expect(formatParseError(text, error)).toContain(error.message);
        }
      }),
      runs,
    );
  });

  test('checking gives findings inside it, and fixes keep a text that parses parseable', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const { tree, findings } = checkExpression(text, { scheme: CASE_SCHEME });
        const { length } = encodeBytes(text);
        for (const { span } of findings) {
          expect(span.start).toBeLessThanOrEqual(span.end);
          expect(span.end).toBeLessThanOrEqual(length);
        }
        const fixed = parseExpression(applyFixes(text, findings), { scheme: CASE_SCHEME });
        expect(tree === undefined || fixed.ok).toBe(true);
      }),
      runs,
    );
  });
});

describe('hostile texts', () => {
  const long = 300_000;
  test.each([
    ['parentheses', '('.repeat(long)],
    ['negations', '!'.repeat(long)],
    ['calls', 'lower('.repeat(long)],
    ['quantifiers', 'any('.repeat(long)],
    ['indexes', `texts${'[0]'.repeat(long)}`],
    ['a name', 'a.'.repeat(long)],
    ['a number', `num eq ${'9'.repeat(10_000)}`],
    ['hashes', `text eq r${'#'.repeat(long)}`],
    ['open raw strings', `nope ${'r#"'.repeat(long)}`],
    ['open strings', `nope ${'"\\'.repeat(long)}`],
    ['clauses', `flag${' and flag'.repeat(long)}`],
    ['wrong clauses', `nope${' and nope'.repeat(long)}`],
    ['items', `num in {${'1 '.repeat(long)}}`],
    ['line breaks', `${'\n'.repeat(long)}nope`],
  ])('are parsed with at most fifty errors: %s', (_name, text) => {
    const result = parseExpression(text, { scheme: CASE_SCHEME });
    const errors = findErrors(text, { scheme: CASE_SCHEME });
    expect(errors[0]).toEqual(result.ok ? undefined : result.error);
    expect(errors.length).toBeLessThanOrEqual(50);
  });
});
