import { describe, expect, test } from 'vitest';
import { checkOnce, checkWithLanguage } from '../../../src/config/checks/expression-checker.ts';

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

describe('a check that is kept', () => {
  test('is made again at most once, however often a text comes in a place', () => {
    const checked: string[] = [];
    const check = checkOnce((text, context) => {
      checked.push(text);
      return checkWithLanguage(text, context);
    });
    const texts = Array.from({ length: 100 }, (_, index) => `http.host eq ${index}`);
    const first = texts.map((text) => check(text, PLACE));
    const later = Array.from({ length: 5 }, () => texts.map((text) => check(text, PLACE)));
    expect(later).toEqual(Array.from({ length: 5 }, () => first));
    expect(first.every(({ length }) => length > 0)).toBe(true);
    // A text of these could be forgotten for another with the same place.
    expect(checked.length).toBeLessThanOrEqual(220);
  });

  test('is another one in another place', () => {
    const check = checkOnce((_text, { phase }) => [
      { code: phase, severity: 'error', message: '', start: 0, end: 1 },
    ]);
    const phases = ['http_request_firewall_custom', 'http_ratelimit', 'http_request_firewall_custom'];
    const found = () => phases.map((phase) => check('true', { ...PLACE, phase }).map(({ code }) => code));
    expect([found(), found(), found()]).toEqual(
      Array.from({ length: 3 }, () => phases.map((phase) => [phase])),
    );
  });
});
