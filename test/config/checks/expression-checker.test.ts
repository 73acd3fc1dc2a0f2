import { describe, expect, test } from 'vitest';
import { checkOnce, checkWithLanguage } from '../../../src/config/checks/expression-checker.ts';

const PLACE = { role: 'filter', phase: 'http_request_firewall_custom', level: 'zone' } as const;

describe('an expression that is longer than the limit of the service', () => {
  test.each([
    ['a text without end', `(http.host eq "${'\\"'.repeat(100_000)}`],
    ['brackets without end', `http.host matches "${'['.repeat(100_000)}]`],
    ['a set of one value', `http.host in {${'"a" '.repeat(30_000)}}`],
  ])('is reported as too long, without a hint about an unclosed bracket or quote: %s', (_, text) => {
    const found = checkWithLanguage(text, PLACE);
    expect(found.map(({ code }) => code)).toContain('expression/too-long');
    expect(found.filter(({ hint }) => hint?.includes('nothing closes'))).toEqual([]);
  });
});

test('checkWithLanguage counts offsets in UTF-16 units', () => {
  const text = 'http.host eq "é😀" and tcp.dstport eq "x"';
  expect(checkWithLanguage(text, PLACE).map(({ start, end }) => text.slice(start, end))).toEqual(['"x"']);
});

describe('checkOnce', () => {
  test('keeps the findings of a text in a place, and checks few texts again', () => {
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
    // Texts that share a slot of the cache can displace each other.
    expect(checked.length).toBeLessThanOrEqual(220);
  });

  test('keeps the findings of a text apart by phase', () => {
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
