import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import {
  createPatternWalk,
  isPattern,
  MAX_SPELLINGS,
  spellOut,
  isNamedBy,
} from '../../src/files/find-files.ts';
import type { PathMatching } from '../../src/files/find-files.ts';

function matches(pattern: string, path: string, matching: PathMatching = {}): boolean {
  const walk = createPatternWalk(matching);
  return path.split('/').reduce<readonly string[]>(walk, spellOut(pattern)).includes('');
}

const part = fc.constantFrom('a', 'b', '*', '?', '{a,b}', '[ab]', 'a*', '*b');
const parts = fc.array(part, { minLength: 1, maxLength: 2 }).map((some) => some.join('/'));
const braces = fc.array(parts, { minLength: 2, maxLength: 3 }).map((some) => `{${some.join(',')}}`);
const pattern = fc
  .tuple(
    fc.array(fc.oneof(part, braces, fc.constant('**')), { maxLength: 3 }),
    fc.constantFrom('*', 'a', '{b,a/b}', 'a*'),
  )
  .map(([folders, last]) => [...folders, last].join('/'));
const path = fc
  .array(fc.constantFrom('a', 'b', 'ab'), { minLength: 1, maxLength: 5 })
  .map((names) => names.join('/'));

describe('path patterns', () => {
  it('match a path part by part as picomatch matches it as a whole', () => {
    fc.assert(
      fc.property(pattern, path, (written, at) => {
        const whole = picomatch(written, { dot: false, nocase: false, nonegate: true, posix: true });
        expect(matches(written, at)).toBe(whole(at));
      }),
    );
  });

  it.each([
    ['zones/*.yaml', 'zones/a.yaml', true],
    ['zones/*.yaml', 'zones/eu/a.yaml', false],
    ['./zones//a.yaml', 'zones/a.yaml', true],
    ['zones/', 'zones', true],
    ['zones/**', 'zones/eu/a.yaml', true],
    ['zones/**', 'zones', false],
    ['**/*.yaml', 'a.yaml', true],
    ['**/*.yaml', '.github/a.yaml', false],
    ['.github/**/*.yaml', '.github/a.yaml', true],
    ['zones/[!_]*.yaml', 'zones/a.yaml', true],
    ['zones/[!_]*.yaml', 'zones/._a.yaml', false],
    ['[^a]*/a.yaml', '.git/a.yaml', false],
    ['{a,.github}/a.yaml', '.github/a.yaml', true],
    ['\\.github/a.yaml', '.github/a.yaml', true],
    ['zones{/eu,}/*.yaml', 'zones/eu/a.yaml', true],
    ['zones{/eu,}/*.yaml', 'zones/a.yaml', true],
    ['{zones/{eu,us/{east,west}},accounts}/a.yaml', 'zones/us/west/a.yaml', true],
    ['{zones/{eu,us/{east,west}},accounts}/a.yaml', 'zones/us/a.yaml', false],
    ['zones/a (1).yaml', 'zones/a (1).yaml', true],
    ['zones/\\*.yaml', 'zones/a.yaml', false],
    ['!zones/a.yaml', 'zones/a.yaml', false],
    ['/zones/a.yaml', 'zones/a.yaml', false],
    ['../zones/a.yaml', 'zones/a.yaml', false],
    ['{a/b', 'a/b', false],
    ['', 'a', false],
  ])('decide on a path: %s on %s is %s', (written, at, expected) => {
    expect(matches(written, at)).toBe(expected);
  });

  it('match hidden names and other letter cases if asked', () => {
    expect(matches('**/*', '.git/a', { hidden: true })).toBe(true);
    expect(matches('zones/*.yaml', 'Zones/A.YAML', { anyCase: true })).toBe(true);
  });

  it('leave no more remaining patterns than they have parts, however long the path', () => {
    const walk = createPatternWalk({});
    const rests = 'abc'.repeat(40).split('').reduce(walk, ['**/a/**/b/**/*']);
    expect(rests.toSorted()).toEqual(['', '**/*', '**/a/**/b/**/*', '**/b/**/*']);
  });

  it('have their braces expanded by spellOut, up to a limited number of patterns', () => {
    expect(spellOut('{a/b,c}{d,e}/{f,{g,h/i}}')).toEqual([
      'a/b{d,e}/f',
      'a/b{d,e}/g',
      'a/b{d,e}/h/i',
      'c{d,e}/f',
      'c{d,e}/g',
      'c{d,e}/h/i',
    ]);
    const many = spellOut('{a,{b,c/d}}'.repeat(90)).length;
    expect(many).toBeGreaterThan(MAX_SPELLINGS);
    expect(many).toBeLessThan(MAX_SPELLINGS * 3);
  });

  it('are told from plain paths by isPattern', () => {
    expect(['zones/*.yaml', '!a', '{a,b}', 'a (1).yaml', 'zones/a.yaml'].map(isPattern)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('match a path with isNamedBy whether or not it exists', () => {
    const named = (path: string): boolean => isNamedBy(['zones/*.yaml', './{eu,us/**}/a.yaml'], path);
    expect(['zones/a.yaml', 'eu/a.yaml', 'us/x/y/a.yaml'].filter(named)).toHaveLength(3);
    expect(['zones', 'zones/b/a.yaml', 'zones/.a.yaml', 'eu/b.yaml', 'a.yaml'].filter(named)).toEqual([]);
  });
});
