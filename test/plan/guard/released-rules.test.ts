import { describe, expect, it } from 'vitest';
import type { RuleOwnership } from '../../../src/model/ruleset.ts';
import type { Redeclared } from '../../../src/plan/guard/no-longer-declared.ts';
import { findUndeclaredRules } from '../../../src/plan/guard/no-longer-declared.ts';
import { ALL, desiredRule, desiredRuleset, liveRule, liveRuleset, patterns } from '../build.ts';
import { planOne } from '../world.ts';

const wanted = (refs: readonly string[], ownership: RuleOwnership) =>
  desiredRuleset(
    refs.map((ref) => desiredRule({ ref })),
    { ownership },
  );

const messages = (...rulesets: readonly Redeclared[]): readonly string[] =>
  findUndeclaredRules(rulesets).map(({ message }) => message);

describe('findReleasedRules', () => {
  const before = wanted(['old-a', 'old-b', 'our-c', 'our-d'], ALL);
  const now = wanted(['our-c'], patterns('our-*'));

  it('names rules that the files leave to others, once for all zones, and says how to delete them', () => {
    const zones = ['zone:a.example', 'zone:b.example'].map((scope) => ({ scope, before, now }));
    expect(findUndeclaredRules(zones)).toEqual([
      {
        kind: 'settings',
        effect: 'warn',
        message:
          '2 rules are no longer managed in http_request_firewall_custom of zone:a.example, zone:b.example: old-a, old-b. They stay live, since ownership leaves them to others. To delete them instead, take them out of the file, apply, then change ownership',
      },
    ]);
  });

  it('lists zones apart that release different rules', () => {
    const other = wanted(['old-z'], patterns('old-*'));
    expect(
      messages({ scope: 'zone:a.example', before, now }, { scope: 'zone:b.example', before: other, now }),
    ).toEqual([
      expect.stringMatching(/^2 rules are .* of zone:a\.example: old-a, old-b\./u),
      expect.stringMatching(/^1 rule is .* of zone:b\.example: old-z\./u),
    ]);
  });

  it.each([
    ['rules that are declared', wanted(['old-a', 'old-b'], patterns('our-*'))],
    ['rules that go, as they are ours', wanted([], patterns('our-*', 'old-*'))],
    ['rules of a phase that is ours alone', wanted([], ALL)],
    ['a ruleset that goes', { ...wanted([], patterns('our-*')), presence: 'absent' } as const],
  ])('is silent about %s', (_what, after) => {
    expect(messages({ scope: 'zone:a.example', before, now: after })).toEqual([]);
  });

  it('is silent about a rule that is adopted under another ref', () => {
    const renamed = desiredRuleset([desiredRule({ ref: 'our-a', adopt: true })], {
      ownership: patterns('our-*'),
    });
    const step = planOne(renamed, liveRuleset([liveRule(1, { ref: 'old-a' })])).steps[0];
    const former = wanted(['old-a'], ALL);
    expect(messages({ scope: 'zone:a.example', before: former, now: renamed, step })).toEqual([]);
    expect(messages({ scope: 'zone:a.example', before: former, now: renamed })).toHaveLength(1);
  });
});
