import { describe, expect, test } from 'vitest';
import { formatParseError } from '../../src/expression/language/parse-error.ts';
import { findErrors, parseExpression } from '../../src/expression/parse/parse-expression.ts';
import { PARSES } from './cases/parses.ts';
import { REFUSES } from './cases/refuses.ts';
import { CASE_SCHEME } from './cases/scheme.ts';

const scheme = CASE_SCHEME;

describe('parseExpression', () => {
  test.each(PARSES)('parses %s', (text) => {
    expect(parseExpression(text, { scheme })).toMatchObject({ ok: true });
  });

  test.each(REFUSES)('refuses %s', (text, kind, line, column, length, message) => {
    expect(parseExpression(text, { scheme })).toMatchObject({
      ok: false,
      error: { kind, line, column, length, message },
    });
  });

  test('counts columns in bytes, also after characters of several bytes', () => {
    const result = parseExpression('text eq "é€😀" and nope', { scheme });
    expect(result).toMatchObject({ error: { column: 25, length: 4, span: { start: 24, end: 28 } } });
  });

  test('counts positions from the start of the text, although white space at both ends is trimmed', () => {
    const result = parseExpression('\t\u00a0\n nope \t', { scheme });
    expect(result).toMatchObject({ error: { line: 2, column: 2, length: 4 } });
  });

  test('refuses a byte order mark, which is not white space', () => {
    expect(parseExpression('\ufeffflag', { scheme })).toMatchObject({
      error: { kind: 'ExpectedName', column: 1 },
    });
  });

  test('limits nesting to 128 levels', () => {
    const nested = (depth: number): string => '('.repeat(depth) + 'flag' + ')'.repeat(depth);
    expect(parseExpression(nested(128), { scheme })).toMatchObject({ ok: true });
    const message = 'maximum nesting depth exceeded (limit: 128)';
    expect(parseExpression(nested(129), { scheme })).toMatchObject({
      error: { kind: 'NestingLimitExceeded', column: 129, message },
    });
    expect(parseExpression('not '.repeat(129) + 'flag', { scheme })).toMatchObject({
      error: { column: 513, message },
    });
    const calls = 'lower('.repeat(129) + 'text' + ')'.repeat(129);
    expect(parseExpression(calls, { scheme })).toMatchObject({
      error: { kind: 'NestingLimitExceeded', column: 774 },
    });
    expect(parseExpression(`flag and ${nested(100)} and ${nested(100)}`, { scheme })).toMatchObject({
      ok: true,
    });
  });

  test.each([
    ['lower(text)', true],
    ['map["k"]', true],
    ['num', true],
    ['texts[*]', false],
    ['lower(texts[*])', true],
    ['"a"', false],
    ['flag and flag', false],
    ['any(flags)', false],
  ])('reads %s as a value: %s', (text, ok) => {
    expect(parseExpression(text, { scheme, mode: 'value' }).ok).toBe(ok);
  });

  test('refuses fields on the right when told to', () => {
    expect(parseExpression('num eq num', { scheme, fieldsOnTheRight: false })).toMatchObject({
      error: { kind: 'ExpectedName', message: 'expected digit' },
    });
  });

  test('knows true and false from the catalogue', () => {
    expect(parseExpression('true and not false')).toMatchObject({ ok: true });
  });

  test('keeps spelling and spans', () => {
    const result = parseExpression('flag && num in {0x1..2}', { scheme });
    expect(result).toMatchObject({
      tree: {
        root: {
          kind: 'and',
          items: [
            { kind: 'bare', span: { start: 0, end: 4 } },
            { right: { items: [{ text: '0x1..2', first: 1n, last: 2n, span: { start: 16, end: 22 } }] } },
          ],
          span: { start: 0, end: 23 },
        },
      },
    });
  });
});

describe('findErrors', () => {
  test.each<readonly [string, readonly number[]]>([
    ['flag', []],
    ['nope and flag and nope2 or num eq x', [1, 19, 35]],
    ['(nope or flag) and (flag and nope)', [2, 30]],
    ['lower(nope) eq "a" and any(nope[*] eq "b") and nope', [7, 28, 48]],
    ['text eq "a and nope', [10]],
    ['flag AND flag or nope', [5, 18]],
    ['flag) and nope', [5, 11]],
    ['(nope and flag', [2, 15]],
    ['num in {1, 2} and nope', [10, 19]],
    ['text eq r#"a) and nope"# and nope', [30]],
  ])('finds every error in %s', (text, columns) => {
    expect(findErrors(text, { scheme }).map(({ column }) => column)).toEqual(columns);
  });

  test('stops after fifty errors', () => {
    expect(findErrors(Array.from({ length: 200 }, () => 'nope').join(' and '), { scheme })).toHaveLength(50);
  });

  test('starts with the error that the service reports', () => {
    const first = REFUSES.map(([text]) => findErrors(text, { scheme })[0]);
    const only = REFUSES.map(([text]) => {
      const result = parseExpression(text, { scheme });
      return result.ok ? undefined : result.error;
    });
    expect(first).toEqual(only);
  });
});

describe('formatParseError', () => {
  test.each([
    ['URI Path contains /', 'Filter parsing error (1:1):\nURI Path contains /\n^^^ unknown identifier\n'],
    ['flag and', 'Filter parsing error (1:9):\nflag and\n        ^ expected identifier character\n'],
    ['flag\nor é x\nor flag', 'Filter parsing error (2:4):\nor é x\n   ^^^^ expected identifier character\n'],
  ])('%s', (text, printed) => {
    const result = parseExpression(text, { scheme });
    expect(result.ok ? '' : formatParseError(text, result.error)).toBe(printed);
  });
});
