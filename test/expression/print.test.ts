import { describe, expect, test } from 'vitest';
import { parseExpression } from '../../src/expression/parse/parse-expression.ts';
import { printExpression } from '../../src/expression/print/print-expression.ts';
import type { PrintOptions } from '../../src/expression/print/print-expression.ts';
import { PARSES } from './cases/parses.ts';
import { CASE_SCHEME } from './cases/scheme.ts';

const scheme = CASE_SCHEME;

function print(text: string, options: PrintOptions = {}): string {
  const result = parseExpression(text, { scheme });
  return result.ok ? printExpression(result.tree, options) : `does not parse: ${result.error.message}`;
}

describe('printExpression', () => {
  test.each(PARSES)('prints %s', (text, printed) => {
    expect(print(text)).toBe(printed);
    expect(print(printed)).toBe(printed);
  });

  test('prints value expressions', () => {
    const result = parseExpression('concat( "a" ,lower(text))', { scheme, mode: 'value' });
    expect(result.ok ? printExpression(result.tree) : '').toBe('concat("a", lower(text))');
  });

  test('leaves what fits on one line', () => {
    expect(print('flag and other_flag', { width: 20 })).toBe('flag and other_flag');
  });

  test('breaks before operators, and inside what still does not fit', () => {
    const text =
      'flag and (other_flag or text in {"aaaa" "bbbb" "cccc" "dddd"}) and starts_with(text, "abc")';
    expect(print(text, { width: 30 })).toBe(
      [
        'flag',
        'and (',
        '  other_flag',
        '  or text in {',
        '    "aaaa" "bbbb" "cccc"',
        '    "dddd"',
        '  }',
        ')',
        'and starts_with(text, "abc")',
      ].join('\n'),
    );
  });

  test('breaks the arguments of a call', () => {
    expect(print('concat(text, "aaaaaaaaaa", "bbbbbbbbbb") eq "c"', { width: 20 })).toBe(
      'concat(\n  text,\n  "aaaaaaaaaa",\n  "bbbbbbbbbb"\n) eq "c"',
    );
  });

  test('prints on one line when line breaks would exceed the maximum length', () => {
    const text = 'flag and (other_flag or flag)';
    expect(print(text, { width: 10, maximumLength: 35 })).toContain('\n');
    expect(print(text, { width: 10, maximumLength: 34 })).toBe(text);
  });

  test('keeps a regular expression that no raw string can hold', () => {
    const pattern = `a"${'#'.repeat(300)}`;
    const text = `text matches "${pattern.replace('"', '\\"')}"`;
    expect(print(text)).toBe(text);
  });
});
