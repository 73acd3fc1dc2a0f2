import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileCapture, compileWildcard, parseWildcard } from '../../src/expression/values/wildcard.ts';
import type { Wildcard, WildcardCase } from '../../src/expression/values/wildcard.ts';
import { propertyRuns } from '../property-runs.ts';

function read(pattern: string): Wildcard {
  const result = parseWildcard(pattern);
  expect(result).toMatchObject({ ok: true });
  return result.ok ? result.pattern : { runs: [] };
}

function matches(pattern: string, subject: string, letters: WildcardCase = 'exact'): boolean {
  return compileWildcard(read(pattern), letters)(subject);
}

describe('wildcard patterns', () => {
  it.each([
    ['*', '', true],
    ['*', 'abc', true],
    ['', '', true],
    ['', 'a', false],
    ['abc', 'abc', true],
    ['a*c', 'ac', true],
    ['a*c', 'abbbc', true],
    ['a*c', 'abbb', false],
    ['b*', 'abc', false],
    ['*b', 'abc', false],
    ['*a*b*c*', 'abc', true],
    ['a*a', 'a', false],
    ['ab*ba', 'aba', false],
    ['*aab', 'aaab', true],
    ['a?c', 'abc', false],
    ['a?c', 'a?c', true],
    ['a\\*c', 'abc', false],
    ['a\\*c', 'a*c', true],
    ['a\\\\*', 'a\\b', true],
    ['*\\**', 'a*b', true],
    ['A*C', 'abc', false],
  ])('%j on %j: %s', (pattern, subject, wanted) => {
    expect(matches(pattern, subject)).toBe(wanted);
  });

  it('folds ASCII letters and no others', () => {
    expect(matches('A*C', 'abc', 'fold')).toBe(true);
    expect(matches('ABC', 'abc', 'fold')).toBe(true);
    expect(matches('ABC', 'abcd', 'fold')).toBe(false);
    expect(matches('\xc4*', '\xe4b', 'fold')).toBe(false);
    expect(matches('[*', '{a', 'fold')).toBe(false);
  });

  it.each([
    ['a\\?c', 'invalid wildcard: wildcard syntax error at position 1: invalid escape sequence'],
    [
      'abc\\',
      'invalid wildcard: wildcard syntax error at position 3: incomplete escape sequence at the end of the wildcard',
    ],
    ['a**', 'wildcard contains a double star'],
    ['**\\q', 'invalid wildcard: wildcard syntax error at position 2: invalid escape sequence'],
  ])('%j is refused: %s', (pattern, message) => {
    expect(parseWildcard(pattern)).toEqual({ ok: false, message });
  });

  it('checks the limit on stars before it looks for double stars', () => {
    expect(parseWildcard('*_*_*', 3)).toMatchObject({ ok: true });
    expect(parseWildcard('*_*_*_*', 3)).toEqual({
      ok: false,
      message: 'wildcard has 4 star metacharacters, but the limit is 3',
    });
    expect(parseWildcard('****', 3)).toMatchObject({
      message: 'wildcard has 4 star metacharacters, but the limit is 3',
    });
  });

  it('captures lazily, keeping the case of the subject', () => {
    const uri = 'https://Apps.example.com/calendar/admin?x=/y';
    expect(compileCapture(read('https://*.example.com/*/*'), 'fold')(uri)).toEqual([
      'Apps',
      'calendar',
      'admin?x=/y',
    ]);
    expect(compileCapture(read('a*b*'), 'exact')('aXbYbZ')).toEqual(['X', 'YbZ']);
    expect(compileCapture(read('*b'), 'exact')('aXbYb')).toEqual(['aXbY']);
    expect(compileCapture(read('abc'), 'exact')('abc')).toEqual([]);
    expect(compileCapture(read('abc'), 'exact')('abd')).toBeUndefined();
  });

  it('does bounded work on patterns of many stars', () => {
    // Each run is searched for once: trying the runs again from other places would not end.
    const pattern = `${'a*'.repeat(1000)}b`;
    expect(matches(pattern, 'a'.repeat(100_000))).toBe(false);
  });
});

const texts = (alphabet: string): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...alphabet.split('')), { maxLength: 9 }).map((characters) => characters.join(''));

/** The captures of the first way to cover a subject, trying shorter captures first. */
function cover(pattern: string, subject: string): readonly string[] | undefined {
  const [head = ''] = pattern;
  if (pattern === '') {
    return subject === '' ? [] : undefined;
  }
  if (head !== '*') {
    return subject.startsWith(head) ? cover(pattern.slice(1), subject.slice(1)) : undefined;
  }
  for (let length = 0; length <= subject.length; length += 1) {
    const rest = cover(pattern.slice(1), subject.slice(length));
    if (rest !== undefined) {
      return [subject.slice(0, length), ...rest];
    }
  }
  return undefined;
}

describe('wildcards against brute force', () => {
  it('match the same subjects with the same captures', () => {
    fc.assert(
      fc.property(texts('ab*'), fc.array(texts('ab'), { minLength: 1, maxLength: 10 }), (given, subjects) => {
        const pattern = given.replaceAll(/\*+/gu, '*');
        for (const subject of subjects) {
          const captures = cover(pattern, subject);
          expect(compileCapture(read(pattern), 'exact')(subject)).toEqual(captures);
          expect(matches(pattern, subject)).toBe(captures !== undefined);
          expect(matches(pattern.toUpperCase(), subject, 'fold')).toBe(captures !== undefined);
        }
      }),
      { numRuns: propertyRuns() },
    );
  });
});
