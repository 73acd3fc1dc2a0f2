import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan, ScopePlan } from '../../../src/model/plan.ts';
import type { DesiredRule, LiveRule } from '../../../src/model/rule.ts';
import type { DesiredRuleset, LiveRuleset } from '../../../src/model/ruleset.ts';
import { comparePlans } from '../../../src/plan/difference/compare-plans.ts';
import { makePlan } from '../../../src/plan/document/make-plan.ts';
import { propertyRuns } from '../../property-runs.ts';
import { edits, liveRules } from '../arbitraries.ts';
import { desiredRule, desiredRuleset, id, liveRule, liveRuleset } from '../build.ts';
import { planOne, SCOPE } from '../world.ts';

const PLACE = 'zone:shop.example/http_request_firewall_custom';

function scopeOf(desired: DesiredRuleset, live: LiveRuleset, number = 1): ScopePlan {
  return planOne(desired, live, { ...SCOPE, id: id(number) });
}

const planOf = (...scopes: readonly ScopePlan[]): Plan => makePlan('emulator', scopes);

describe('comparePlans', () => {
  const live = liveRuleset([liveRule(1, { ref: 'a' }), liveRule(2, { ref: 'b' }), liveRule(3, { ref: 'c' })]);
  const [a, b, c] = ['a', 'b', 'c'].map((ref) => desiredRule({ ref }));
  const rules = (...list: readonly (DesiredRule | undefined)[]) =>
    planOf(scopeOf(desiredRuleset(list.filter((rule) => rule !== undefined)), live));

  it('finds no difference exactly when the digests are equal', () => {
    const cases = liveRules(6).chain((list) =>
      fc.tuple(
        fc.constant(list),
        edits(list, () => true),
        edits(list, () => true),
        fc.boolean(),
      ),
    );
    fc.assert(
      fc.property(cases, ([list, one, other, same]) => {
        const [left, right] = [one, same ? one : other].map((wanted) =>
          planOf(scopeOf(desiredRuleset(wanted), liveRuleset(list))),
        );
        if (left === undefined || right === undefined) {
          throw new Error('two plans');
        }
        expect(comparePlans(left, right).length === 0).toBe(left.digest === right.digest);
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('gives the description of an unnamed rule, and what the fresh plan alone does to it', () => {
    const one = liveRule(4, { ref: id(4), description: 'Old feed' });
    const other = liveRule(5, { ref: 'other' });
    const both = (action: string) =>
      planOf(
        scopeOf(
          desiredRuleset([
            desiredRule({ ref: id(4), description: 'Old feed', action }),
            desiredRule({ ref: 'other', action: 'log' }),
          ]),
          liveRuleset([one, other]),
        ),
      );
    expect(comparePlans(both('block'), both('log'))).toEqual([
      {
        kind: 'only-fresh',
        place: PLACE,
        rule: id(4),
        description: 'Old feed',
        message: 'the rule is changed',
        fields: [{ kind: 'changed', path: '/action', before: 'block', after: 'log' }],
      },
    ]);
  });

  it('does not call it another order when a rule was deleted live and would be added in its place', () => {
    const desired = desiredRuleset(
      [desiredRule({ ref: 'a', action: 'log' }), b, c].filter((rule) => rule !== undefined),
    );
    const without = liveRuleset([liveRule(2, { ref: 'b' }), liveRule(3, { ref: 'c' })]);
    const fresh = planOf(scopeOf(desired, without));
    expect(comparePlans(planOf(scopeOf(desired, live)), fresh)).toMatchObject([
      { kind: 'only-reviewed', rule: 'a', message: 'the rule is changed' },
      { kind: 'only-fresh', rule: 'a', message: 'the rule is added' },
    ]);
  });

  it('names rules that change in one plan only, and tells how rules differ that change in both', () => {
    const reviewed = rules(desiredRule({ ref: 'a', action: 'log' }), b, c);
    expect(comparePlans(reviewed, rules(a, b))).toEqual([
      {
        kind: 'only-reviewed',
        place: PLACE,
        rule: 'a',
        message: 'the rule is changed',
        fields: [{ kind: 'changed', path: '/action', before: 'block', after: 'log' }],
      },
      { kind: 'only-fresh', place: PLACE, rule: 'c', message: 'the rule is deleted' },
      { kind: 'different', place: PLACE, message: 'the rules end in another order' },
    ]);
    expect(comparePlans(reviewed, rules(desiredRule({ ref: 'a', action: 'challenge' }), b, c))).toEqual([
      {
        kind: 'different',
        place: PLACE,
        rule: 'a',
        message: 'the rule becomes something else',
        fields: [{ kind: 'changed', path: '/action', before: 'log', after: 'challenge' }],
      },
    ]);
    expect(comparePlans(reviewed, rules(b, c))).toMatchObject([
      { kind: 'different', rule: 'a', message: 'the rule was to be changed, and is deleted now' },
      { kind: 'different', message: 'the rules end in another order' },
    ]);
  });

  describe('with a rule that somebody has changed live since the review', () => {
    const HOST = 'http.host eq "shop.example"';
    const rule = (number: number, expression = HOST) =>
      liveRule(number, { ref: 'abc'.charAt(number - 1), expression });
    const other = rule(3, 'http.host eq "other.example"');
    const desired = desiredRuleset(
      [desiredRule({ ref: 'a', action: 'managed_challenge', expression: HOST })],
      {
        ownership: { kind: 'patterns', patterns: ['a', 'b'] },
      },
    );
    const planned = (rules: readonly LiveRule[], over: Partial<LiveRuleset> = {}) =>
      planOf(scopeOf(desired, liveRuleset(rules, over)));
    const reviewed = planned([rule(1), rule(2), other]);
    const narrowed = `${HOST} and ssl`;
    const undone = {
      kind: 'different',
      place: PLACE,
      message: 'somebody has changed the rule live since the review, and this plan would undo that too',
      fields: [{ kind: 'changed', path: '/expression', before: HOST, after: narrowed }],
    };

    it.each<[what: string, rules: readonly LiveRule[], told: readonly object[]]>([
      ['none', [rule(1), rule(2), other], []],
      ['one of others', [rule(1), rule(2), rule(3, 'http.host eq "third.example"')], []],
      ['one that is changed', [rule(1, narrowed), rule(2), other], [{ ...undone, rule: 'a' }]],
      ['one that is deleted', [rule(1), rule(2, narrowed), other], [{ ...undone, rule: 'b' }]],
    ])('%s', (_what, rules, told) => {
      const fresh = planned(rules, { version: '9', lastUpdated: '2026-03-03T00:00:00Z' });
      expect(comparePlans(reviewed, fresh)).toEqual(told);
    });
  });

  it('finds a difference in the order of rules alone', () => {
    expect(comparePlans(rules(b, a, c), rules(c, a, b)).length).toBeGreaterThan(0);
  });

  it('names steps and scopes that only one plan has', () => {
    const failed: ScopePlan = {
      kind: 'failed',
      scope: { kind: 'zone', name: 'other.example' },
      error: { code: 'api/forbidden', message: 'no' },
    };
    const changing = scopeOf(desiredRuleset([]), live);
    expect(comparePlans(planOf(changing), planOf(failed))).toEqual([
      { kind: 'only-reviewed', place: PLACE, message: 'the ruleset is updated, 3 rules deleted (a, b, c)' },
      { kind: 'only-fresh', place: 'zone:other.example', message: 'the scope could not be planned' },
    ]);
    expect(comparePlans(planOf(scopeOf(desiredRuleset([]), live, 8)), planOf(changing))).toHaveLength(2);
  });

  it('ignores scopes without changes that only one plan has', () => {
    const changing = scopeOf(desiredRuleset([]), live);
    const asItIs = scopeOf(desiredRuleset([]), liveRuleset([]), 7);
    expect(comparePlans(planOf(changing), planOf(asItIs, changing))).toEqual([]);
    expect(comparePlans(planOf(asItIs, changing), planOf(changing))).toEqual([]);
    expect(comparePlans(planOf(asItIs), planOf(changing))).toHaveLength(1);
  });

  it('finds steps that are only in another order', () => {
    const [one, other] = [scopeOf(desiredRuleset([]), live, 5), scopeOf(desiredRuleset([]), live, 6)];
    expect(comparePlans(planOf(one, other), planOf(other, one))).toEqual([
      { kind: 'different', place: 'the plan', message: 'the same steps are in another order' },
    ]);
  });
});
