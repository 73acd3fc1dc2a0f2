import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isScalar, parseDocument, Scalar, stringify } from 'yaml';

import { scalarOffsets } from '../../src/config/yaml/scalar-offsets.ts';
import { propertyRuns } from '../property-runs.ts';

/** The scalar under the key `a` of a text. */
function scalarIn(text: string): Scalar {
  const node = parseDocument(text).get('a', true);
  if (!isScalar(node)) {
    throw new TypeError('the text has no scalar under `a`');
  }
  return node;
}

/** The source text of a part of the value of `a`. */
function sourceOf(text: string, from: number, to: number): string | undefined {
  const offsets = scalarOffsets(text, scalarIn(text));
  return offsets && text.slice(offsets.start(from), offsets.end(from, to));
}

describe('scalarOffsets', () => {
  test('returns the same offsets for the same text and scalar', () => {
    const text = 'a: "one two"\nb: "three"\n';
    const scalar = scalarIn(text);
    const offsets = scalarOffsets(text, scalar);
    expect(offsets).toBeDefined();
    expect(scalarOffsets(text, scalar)).toBe(offsets);
    expect(scalarOffsets(text, scalarIn(text))).not.toBe(offsets);
    expect(scalarOffsets(` ${text}`, scalar)).not.toBe(offsets);
  });

  test.each([
    ['plain', 'a: one two\n', 'two', 'two'],
    ['plain over lines', 'a: one\n   two three\n', 'three', 'three'],
    ['plain with a blank line', 'a: one\n\n   two\n', '\n', '\n'],
    ['plain with trailing spaces', 'a: one   \n   two\n', 'two', 'two'],
    ['plain with a comment', 'a: one # no\n', 'one', 'one'],
    ['single quotes', "a: 'it''s two'\n", "'", "''"],
    ['single quotes behind an escape', "a: 'it''s two'\n", 'two', 'two'],
    ['double quotes', 'a: "x \\"y\\" z"\n', '"y"', '\\"y\\"'],
    ['double quotes with a code point', 'a: "\\u00e9 \\U0001F600 z"\n', '😀', '\\U0001F600'],
    ['double quotes with an escaped break', 'a: "one \\\n   two"\n', 'two', 'two'],
    ['double quotes over lines', 'a: "one\n   two"\n', 'two', 'two'],
    ['literal', 'a: |\n  one\n  two\n', 'two', 'two'],
    ['literal with an indented line', 'a: |\n  one\n    two\n', '  two', '  two'],
    ['literal, stripped', 'a: |-\n  one\n  two\n', 'two', 'two'],
    ['literal with an explicit indentation', 'a: |2\n    one\n  two\n', 'two', 'two'],
    ['literal whose first lines are blank', 'a: |1\n\n    \n   one\n two\n', 'two', 'two'],
    ['folded with an explicit indentation', 'a: >1\n    \n   one\n two\n', 'two', 'two'],
    ['folded', 'a: >-\n  one\n  two\n', 'two', 'two'],
    ['folded with a blank line', 'a: >-\n  one\n\n  two\n', 'two', 'two'],
    ['folded with an indented line', 'a: >\n  one\n    two\n  three\n', 'three', 'three'],
    ['folded with a comment in its header', 'a: >- # no\n  one\n  two\n', 'two', 'two'],
    ['CR LF', 'a: >-\r\n  one\r\n  two\r\n', 'two', 'two'],
    ['literal with CR LF', 'a: |\r\n  one\r\n  two\r\n', 'two', 'two'],
  ])('%s', (_, text, part, written) => {
    const value = String(scalarIn(text).value);
    const from = value.indexOf(part);
    expect(from).toBeGreaterThanOrEqual(0);
    expect(sourceOf(text, from, from + part.length)).toBe(written);
  });

  test('gives an empty range for an empty part of the value', () => {
    const text = 'a: "x y"\n';
    expect(sourceOf(text, 2, 2)).toBe('');
    expect(scalarOffsets(text, scalarIn(text))?.start(2)).toBe(6);
  });

  test('puts the end of the value behind its last character', () => {
    const text = 'a: "x y"\n';
    expect(scalarOffsets(text, scalarIn(text))?.start(3)).toBe(7);
  });

  test('returns nothing for a text far longer than any expression', () => {
    const text = (length: number): string => `a: >\n  ${'x'.repeat(length)}\n`;
    const long = text(200_000);
    expect(scalarOffsets(long, scalarIn(long))).toBeUndefined();
    const most = text(4096);
    expect(scalarOffsets(most, scalarIn(most))?.start(4095)).toBe(4102);
  });

  const words = fc.array(
    fc.constantFrom('a', 'bc', ' ', '  ', '\n', '\n\n', "'", '"', '\\', 'é', '😀', ':', '#', '\t', '-'),
    {
      maxLength: 30,
    },
  );

  test.each([
    Scalar.PLAIN,
    Scalar.QUOTE_SINGLE,
    Scalar.QUOTE_DOUBLE,
    Scalar.BLOCK_LITERAL,
    Scalar.BLOCK_FOLDED,
  ] as const)('finds every character of a generated text in the source: %s', (style) => {
    fc.assert(
      fc.property(words, fc.integer({ min: 20, max: 60 }), (parts, lineWidth) => {
        const value = parts.join('');
        const text = stringify({ a: value }, { defaultStringType: style, lineWidth });
        const scalar = scalarIn(text);
        fc.pre(parseDocument(text).errors.length === 0); // Some texts of white space are written wrong.
        const offsets = scalarOffsets(text, scalar);
        expect(offsets).toBeDefined();
        String(scalar.value)
          .split('')
          .reduce((at, character) => {
            const written = text.slice(offsets?.start(at), offsets?.end(at, at + character.length));
            expect(stands(character, written)).toBe(true);
            return at + character.length;
          }, 0);
      }),
      { numRuns: propertyRuns() },
    );
  });

  const lines = fc.array(fc.constantFrom('', ' ', '  ', 'x', 'x y', '  x', '\tx', 'x  ', "x'", '# x'), {
    maxLength: 8,
  });

  test('has offsets for every block scalar that the parser reads', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('|', '>', '|-', '>-', '|+', '>+', '|2', '>2-'),
        lines,
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom('', 'b: 1'),
        (header, body, end, tail) => {
          const text = [
            `a: ${header}`,
            ...body.map((line) => (line.trim() === '' ? line : `  ${line}`)),
            tail,
          ].join(end);
          const document = parseDocument(text);
          fc.pre(document.errors.length === 0);
          const scalar = scalarIn(text);
          expect(scalarOffsets(text, scalar)).toBeDefined();
        },
      ),
      { numRuns: propertyRuns() },
    );
  });

  test('has offsets for every flow scalar that the parser reads', () => {
    fc.assert(
      fc.property(fc.constantFrom('', "'", '"'), lines, fc.constantFrom('\n', '\r\n'), (quote, body, end) => {
        const inside = body.map((line) => line.replaceAll(/['#]/g, '')).join(`${end}  `);
        const text = `a: ${quote}w${inside}${quote}${end}`;
        const document = parseDocument(text);
        fc.pre(document.errors.length === 0);
        const scalar = scalarIn(text);
        expect(scalarOffsets(text, scalar)).toBeDefined();
      }),
      { numRuns: propertyRuns() },
    );
  });
});

/** Whether a part of the source can stand for a character: the character, an escape or a folded line break. */
function stands(character: string, written: string): boolean {
  return (
    written === character ||
    written.startsWith('\\') ||
    (character === "'" && written === "''") ||
    (/^[ \n]$/.test(character) && /^\r?\n$/.test(written))
  );
}
