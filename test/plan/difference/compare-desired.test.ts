import { describe, expect, it } from 'vitest';
import type { DesiredScope } from '../../../src/model/state.ts';
import { compareDesired } from '../../../src/plan/difference/compare-desired.ts';
import { isInShard } from '../../../src/plan/document/make-plan.ts';
import { CAUSE, desiredRule } from '../build.ts';

const ELSEWHERE = { file: 'zones/other.yaml', line: 9, column: 3 };

function scope(name: string, over: Partial<DesiredScope> = {}, cause = CAUSE): DesiredScope {
  return {
    scope: { kind: 'zone', name },
    rulesetOwnership: 'declared',
    cause,
    rulesets: [
      {
        address: { kind: 'entrypoint', phase: 'http_ratelimit' },
        presence: 'present',
        rules: [desiredRule({ ref: 'a', cause })],
        ownership: { kind: 'all' },
        place: 'any',
        ignore: [{ rule: 'b', reason: 'later', until: '2030-01-01', cause }],
        cause,
      },
    ],
    ...over,
  };
}

/** The scopes that differ, as their names and rulesets. */
function differing(before: readonly DesiredScope[], now: readonly DesiredScope[]): readonly unknown[] {
  return compareDesired(before, now).changed.map((one) => [one.scope.scope.name, one.rulesets]);
}

describe('compareDesired', () => {
  it('finds no difference when a scope only stands elsewhere in the files', () => {
    expect(compareDesired([scope('a')], [scope('a', {}, ELSEWHERE)])).toEqual({
      changed: [],
      gone: [],
    });
  });

  it('finds no difference in labels, which only select scopes', () => {
    expect(differing([scope('a')], [scope('a', { labels: { team: 'shop' } })])).toEqual([]);
  });

  const [ratelimit] = scope('a').rulesets;
  const changed = (over: object): DesiredScope =>
    scope('a', { rulesets: ratelimit === undefined ? [] : [{ ...ratelimit, ...over }] });

  it.each([
    ['a rule', changed({ rules: [desiredRule({ ref: 'a', action: 'log' })] })],
    ['the order of rules', changed({ rules: [desiredRule({ ref: 'b' }), desiredRule({ ref: 'a' })] })],
    ['ownership of rules', changed({ ownership: { kind: 'patterns', patterns: ['a'] } })],
    ['what is ignored', changed({ ignore: [] })],
    ['adopt', changed({ rules: [desiredRule({ ref: 'a', adopt: true })] })],
    ['the token', scope('a', { tokenEnv: 'OTHER' })],
    ['ownership of rulesets', scope('a', { rulesetOwnership: 'all' })],
    ['a ruleset that is let go of', scope('a', { rulesets: [] })],
  ])('counts as a change: %s', (_name, now) => {
    expect(differing([scope('a'), scope('b')], [now, scope('b')])).toEqual([['a', ['http_ratelimit']]]);
  });

  it('lists a new scope with all its rulesets, and names scopes that are gone', () => {
    expect(differing([], [scope('new')])).toEqual([['new', ['http_ratelimit']]]);
    expect(compareDesired([scope('a'), scope('b')], [scope('b')])).toEqual({
      changed: [],
      gone: ['zone:a'],
    });
  });
});

describe('shards', () => {
  const names = Array.from({ length: 1000 }, (_, number) => `zone-${number}.example`);
  const sizes = [1, 2, 3, 4, 5, 6, 7, 8].map(
    (index) => names.filter((name) => isInShard({ kind: 'zone', name }, { index, count: 8 })).length,
  );

  it('contain each scope once and are about the same size', () => {
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1000);
    expect(Math.min(...sizes)).toBeGreaterThan(90);
    expect(Math.max(...sizes)).toBeLessThan(160);
  });

  it('are fixed: a scope that moves to another shard would lose its cache', () => {
    const of = (name: string) =>
      [1, 2, 3, 4].find((index) => isInShard({ kind: 'zone', name }, { index, count: 4 }));
    expect(['shop.example', 'blog.example', 'api.example'].map((name) => of(name))).toEqual([2, 4, 1]);
  });
});
