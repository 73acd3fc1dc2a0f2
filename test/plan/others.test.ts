import { describe, expect, it } from 'vitest';
import type { DesiredRule, LiveRule } from '../../src/model/rule.ts';
import type { DesiredRuleset } from '../../src/model/ruleset.ts';
import { addressKey } from '../../src/model/ruleset.ts';
import type { DesiredScope } from '../../src/model/state.ts';
import { namingUndeclared, owningAll, notingOthers } from '../../src/plan/rules-of-others.ts';
import { planScope } from '../../src/plan/plan-scope.ts';
import { CAUSE, desiredRule, desiredRuleset, liveRule, liveRuleset, patterns } from './build.ts';
import { planned, read, SCOPE } from './world.ts';

const OURS = desiredRule({ ref: 'ours-a' });
const LIVE = liveRule(1, { ref: 'ours-a' });
const SKIP_ALL = {
  action: 'skip',
  action_parameters: { phases: ['http_ratelimit'] },
  expression: 'true',
} as const;

function wanted(rules: readonly DesiredRule[], over: Partial<DesiredRuleset> = {}): DesiredScope {
  return {
    scope: SCOPE,
    rulesetOwnership: 'declared',
    rulesets: [desiredRuleset(rules, { ownership: patterns('ours-*'), ...over })],
    cause: CAUSE,
  };
}

/** What the plan says of live rules of others beside ours: changes as kind and ref, notes as kind, rule and message. */
function told(others: readonly LiveRule[], desired = wanted([OURS])) {
  const addresses = desired.rulesets.map(({ address }) => address);
  const live = read(
    new Map(addresses.map((one) => [addressKey(one), liveRuleset([LIVE, ...others])])),
    addresses,
  );
  const plan = planned(
    planScope(desired.rulesetOwnership === 'everything' ? owningAll(desired) : desired, live),
  );
  const { steps, notes } = notingOthers(plan, desired, live);
  return {
    changes: steps.flatMap(({ changes }) => changes.map(({ kind, ref }) => `${kind} ${ref}`)),
    notes: notes.map(({ kind, rule, message }) => [kind, rule, message]),
  };
}

describe('rules of others in a declared ruleset', () => {
  it('are reported as ending every request unless a skip of the same ruleset before them lets some past', () => {
    const wall = liveRule(3, { ref: 'deny-rest', expression: 'true' });
    const skip = { ref: 'allow', expression: 'http.host eq "feed.shop.example"', action: 'skip' };
    const allow = liveRule(2, { ...skip, action_parameters: { ruleset: 'current' } });
    expect(told([allow, wall]).notes).toEqual([]);
    expect(told([wall, allow]).notes).toHaveLength(1);
    const elsewhere = liveRule(2, { ...skip, action_parameters: { phases: ['http_ratelimit'] } });
    expect(told([elsewhere, wall]).notes).toHaveLength(1);
  });

  it('get a note, and no change in the plan, only if they concern every request', () => {
    const partner = liveRule(2, {
      ...SKIP_ALL,
      ref: 'partner',
      expression: 'http.host eq "feed.shop.example"',
    });
    expect(told([partner])).toEqual({ changes: [], notes: [] });
    expect(
      told([
        partner,
        liveRule(3, { ...SKIP_ALL, ref: 'debug' }),
        liveRule(4, { ref: 'wall', expression: 'true' }),
      ]),
    ).toEqual({
      changes: [],
      notes: [
        ['debug', 'lets every request past Rate limiting rules'],
        ['wall', 'blocks every request'],
      ].map(([ref = '', does = '']) => [
        'unowned-every-request',
        ref,
        `is a rule of others, and ${does}; if that is intended, list it in ignore`,
      ]),
    });
  });

  it.each([
    ['ours by its name', { ref: 'ours-b' }, {}],
    ['switched off', { ref: 'debug', enabled: false }, {}],
    [
      'ignored',
      { ref: 'debug' },
      { ignore: [{ rule: 'debug', reason: 'An incident', until: '2026-12-31', cause: CAUSE }] },
    ],
  ])('get no note if the rule that concerns every request is %s', (_, over, ruleset) => {
    expect(
      told([liveRule(2, { ...SKIP_ALL, ...over })], wanted([OURS], ruleset)).notes.map(([kind]) => kind),
    ).not.toContain('unowned-every-request');
  });

  it('get no note about every request if the files adopt the rule', () => {
    const taken = desiredRule({ ...SKIP_ALL, ref: 'debug', adopt: true });
    const { notes } = told([liveRule(2, { ...SKIP_ALL, ref: 'debug' })], wanted([OURS, taken]));
    expect(notes.map(([kind]) => kind)).toEqual(['adoptable']);
  });

  it('are shown as deletions with an "unowned" note when the plan shows everything', () => {
    const debug = liveRule(2, { ...SKIP_ALL, ref: 'debug' });
    const stray = liveRule(3, { ref: 'ours-stray' });
    expect(told([debug, stray], { ...wanted([OURS]), rulesetOwnership: 'everything' })).toEqual({
      changes: ['delete debug', 'delete ours-stray'],
      notes: [['unowned', 'debug', 'is a rule of others: apply leaves it as it is']],
    });
  });

  it('are named, by ruleset, unless they are ignored or declared', () => {
    const rules = [
      LIVE,
      liveRule(2, { ref: 'partner' }),
      liveRule(3, { ref: 'debug' }),
      liveRule(4, { ref: 'taken' }),
    ];
    const ignore = [{ rule: 'debug', reason: 'An incident', until: '2026-12-31', cause: CAUSE }];
    const desired = wanted([OURS, desiredRule({ ref: 'taken', adopt: true })], { ignore });
    const addresses = desired.rulesets.map(({ address }) => address);
    const live = read(new Map(addresses.map((one) => [addressKey(one), liveRuleset(rules)])), addresses);
    const listed = { kind: 'entrypoint', phase: 'http_ratelimit' } as const;
    const { notes } = namingUndeclared(planned(planScope(desired, live)), desired, {
      ...live,
      undeclared: [listed],
    });
    expect(
      notes.filter(({ kind }) => kind.startsWith('undeclared')).map(({ kind, message }) => [kind, message]),
    ).toEqual([
      ['undeclared', 'no file declares it, and only drift --unmanaged compares it'],
      ['undeclared-rules', '1 rule of others: partner'],
    ]);
  });
});
