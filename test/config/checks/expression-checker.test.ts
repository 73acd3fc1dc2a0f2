import { describe, expect, test } from 'vitest';
import { checkWithLanguage } from '../../../src/config/checks/expression-checker.ts';

const PLACE = { role: 'filter', phase: 'http_request_firewall_custom', level: 'zone' } as const;

describe('an expression that is longer than the service reads', () => {
  test.each([
    ['a text without end', `(http.host eq "${'\\"'.repeat(100_000)}`],
    ['brackets without end', `http.host matches "${'['.repeat(100_000)}]`],
    ['a set of one value', `http.host in {${'"a" '.repeat(30_000)}}`],
  ])('is told so at once, with no hint that would look at all of it: %s', (_, text) => {
    const found = checkWithLanguage(text, PLACE);
    expect(found.map(({ code }) => code)).toContain('expression/too-long');
    expect(found.filter(({ hint }) => hint?.includes('nothing closes'))).toEqual([]);
  });
});

test('offsets count UTF-16 units, whatever stands before', () => {
  const text = 'http.host eq "é😀" and tcp.dstport eq "x"';
  expect(checkWithLanguage(text, PLACE).map(({ start, end }) => text.slice(start, end))).toEqual(['"x"']);
});
