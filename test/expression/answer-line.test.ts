import { describe, expect, test } from 'vitest';
import { answerLine } from '../../src/expression/answer-line.ts';

describe('answerLine', () => {
  test.each<readonly [unknown, unknown]>([
    [{ expr: ' ssl&&ssl ' }, { ok: true, printed: 'ssl and ssl' }],
    [
      { expr: 'lower( http.host )', mode: 'value' },
      { ok: true, printed: 'lower(http.host)' },
    ],
    [
      { expr: 'a[*] eq 1', scheme: { a: 'Array<Int>' } },
      {
        error: {
          kind: 'TypeMismatch',
          line: 1,
          column: 10,
          length: 0,
          message: 'expected value of type Bool, but got Array<Bool>',
        },
      },
    ],
    [
      { expr: 'any(a["k"][*] eq "b") and true', scheme: { a: 'Map<Array<Bytes>>' } },
      { ok: true, printed: 'any(a["k"][*] eq "b") and true' },
    ],
    [
      { expr: 'ssl', scheme: {} },
      { error: { kind: 'UnknownIdentifier', line: 1, column: 1, length: 3, message: 'unknown identifier' } },
    ],
    [{ expr: 'ssl', scheme: { ssl: 'Boolean' } }, { error: { kind: 'InvalidRequest' } }],
    [
      { expr: 'a["e\u0301"] eq 1', scheme: { a: 'Array<Int>' } },
      { error: { kind: 'InvalidIndexAccess', message: expect.stringContaining('MapKey("e\\u{301}")') } },
    ],
    [{ expr: 5 }, { error: { kind: 'InvalidRequest' } }],
    [{ expr: 'ssl', mode: 'both' }, { error: { kind: 'InvalidRequest' } }],
    [[], { error: { kind: 'InvalidRequest' } }],
  ])('parse %j', (request, answer) => {
    expect(JSON.parse(answerLine(JSON.stringify(request), 'parse'))).toMatchObject(answer as object);
  });

  test('answers a line that is not JSON with InvalidRequest', () => {
    expect(JSON.parse(answerLine('{', 'parse'))).toMatchObject({ error: { kind: 'InvalidRequest' } });
  });

  test('refuses a type that is nested 20,000 levels deep', () => {
    const type = `${'Map<'.repeat(20_000)}Int${'>'.repeat(20_000)}`;
    const answer: unknown = JSON.parse(
      answerLine(JSON.stringify({ expr: 'a', scheme: { a: type } }), 'parse'),
    );
    expect(answer).toMatchObject({ error: { kind: 'InvalidRequest' } });
  });

  test('evaluates an expression', () => {
    const request = { expr: 'a eq 1', scheme: { a: 'Int' }, values: { a: 1 } };
    expect(JSON.parse(answerLine(JSON.stringify(request), 'eval'))).toEqual({ result: true });
  });
});
