import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { customRulesetQuota, ruleQuota } from '../../../src/model/index.ts';
import type { PlannedScope } from '../../../src/model/plan.ts';
import { DEFAULT_SAFETY } from '../../../src/model/guard.ts';
import type { DesiredRule, LiveRule } from '../../../src/model/rule.ts';
import type { DesiredRuleset, LiveRuleset, RulesetAddress } from '../../../src/model/ruleset.ts';
import { guardScope } from '../../../src/plan/guard/guard-scope.ts';
import { planScope } from '../../../src/plan/plan-scope.ts';
import { writesOf } from '../../../src/plan/requests/writes.ts';
import { propertyRuns } from '../../property-runs.ts';
import { CAUSE, desiredRule, desiredRuleset, id, liveRule, liveRuleset } from '../build.ts';
import { serve } from '../pure-service.ts';
import { planned } from '../world.ts';

const ENTRY = { kind: 'entrypoint', phase: 'http_request_firewall_custom' } as const;
const LOGIN = { kind: 'custom', phase: 'http_request_firewall_custom', name: 'Login' } as const;
const PLACE = 'zone:shop.example/http_request_firewall_custom';

function plan(
  wanted: readonly DesiredRuleset[],
  live: readonly (readonly [RulesetAddress, LiveRuleset])[],
  level: string | undefined = 'free',
): PlannedScope {
  return planned(
    planScope(
      {
        scope: { kind: 'zone', name: 'shop.example' },
        rulesetOwnership: 'declared',
        rulesets: wanted,
        cause: CAUSE,
      },
      {
        scope: {
          kind: 'zone',
          id: id(1),
          name: 'shop.example',
          accountId: id(2),
          ...(level === undefined ? {} : { plan: level }),
        },
        entries: wanted.map(({ address }) => {
          const ruleset = live.find(([place]) => JSON.stringify(place) === JSON.stringify(address))?.[1];
          return { address, slot: ruleset === undefined ? { kind: 'absent' } : { kind: 'present', ruleset } };
        }),
        catalogue: live.map(([, { rules: _rules, ...head }]) => head),
      },
    ),
  );
}

const lives = (from: number, count: number): LiveRule[] =>
  Array.from({ length: count }, (_, index) => liveRule(from + index, { ref: `r${from + index}` }));
const wants = (from: number, count: number): DesiredRule[] =>
  Array.from({ length: count }, (_, index) => desiredRule({ ref: `r${from + index}` }));

describe('the quota of a phase', () => {
  it('gives a warning with the numbers, and does not refuse', () => {
    const { findings } = plan([desiredRuleset(wants(1, 6))], []);
    expect(findings).toEqual([
      {
        kind: 'quota',
        effect: 'warn',
        step: PLACE,
        message: `${PLACE}: the Free plan allows 5 WAF custom rules; this zone would have 6. The service has the last word`,
      },
    ]);
  });

  it('gives no warning if the plan level is unknown, or if rules only become fewer', () => {
    expect(plan([desiredRuleset(wants(1, 6))], [], 'partners_free').findings).toEqual([]);
    const shrinking = plan([desiredRuleset(wants(1, 7))], [[ENTRY, liveRuleset(lives(1, 8))]]);
    expect(shrinking.findings).toEqual([]);
  });

  it('counts the rules of custom rulesets that the entry point executes, step by step', () => {
    const run = desiredRule({
      ref: 'run',
      action: 'execute',
      expression: 'true',
      action_parameters: { id: 'custom:login' },
    });
    const login = desiredRuleset(wants(20, 3), { address: LOGIN });
    const { findings } = plan([desiredRuleset([run, ...wants(1, 2)]), login], []);
    expect(findings.map(({ step, message }) => [step, /would have (\d+)/.exec(message)?.[1]])).toEqual([
      [PLACE, '6'],
    ]);
    expect(plan([desiredRuleset(wants(1, 3)), login], []).findings).toEqual([]);
  });

  it('counts the custom rulesets of a zone', () => {
    const second = desiredRuleset([], { address: { ...LOGIN, name: 'Second' } });
    const { findings } = plan(
      [desiredRuleset(wants(20, 1), { address: LOGIN }), second],
      [[LOGIN, liveRuleset(lives(20, 1), { id: id(0xc), kind: 'custom', name: 'Login' })]],
    );
    expect(findings).toMatchObject([
      {
        kind: 'quota',
        message: expect.stringContaining('the Free plan allows 1 custom ruleset; this zone would have 2'),
      },
    ]);
  });

  it('does not count a changed custom ruleset again, nor an entry point that is created', () => {
    const login = [LOGIN, liveRuleset(lives(20, 1), { id: id(0xc), kind: 'custom', name: 'Login' })] as const;
    const second = { ...LOGIN, name: 'Second' } as const;
    const other = [second, liveRuleset([], { id: id(0xd), kind: 'custom', name: 'Second' })] as const;
    const changed = desiredRuleset(wants(30, 1), { address: LOGIN });
    const made = desiredRuleset(wants(1, 1));
    expect(plan([changed, desiredRuleset([], { address: second })], [login], 'pro').findings).toEqual([]);
    expect(plan([changed, made], [login, other]).findings).toEqual([]);
  });

  it('can be allowed in the files', () => {
    const allow = [{ kind: 'quota', reason: 'More by contract', until: '2026-12-31' } as const];
    const found = plan([desiredRuleset(wants(1, 6))], []);
    expect(guardScope(found, { ...DEFAULT_SAFETY, allow }, '2026-06-01').findings).toEqual([]);
  });
});

describe('deletions before additions', () => {
  it('are forced only if both together exceed the quota, and a note says so', () => {
    const full = plan([desiredRuleset(wants(2, 5))], [[ENTRY, liveRuleset(lives(1, 5))]]);
    expect(full.steps).toMatchObject([{ deletesFirst: true }]);
    expect(full.notes.filter(({ kind }) => kind === 'quota-order')).toMatchObject([
      {
        kind: 'quota-order',
        message:
          'deletes before it adds when rules are written one by one: both together would be 6 rules, at most 5 fit on the Free plan',
      },
    ]);
    const roomy = plan([desiredRuleset(wants(2, 4))], [[ENTRY, liveRuleset(lives(1, 4))]]);
    expect(roomy.steps[0]).not.toHaveProperty('deletesFirst');
  });

  it('keep every intermediate state within the quota', () => {
    const cases = fc.tuple(
      fc.integer({ min: 0, max: 5 }),
      fc.integer({ min: 0, max: 5 }),
      fc.integer({ min: 1, max: 6 }),
    );
    fc.assert(
      fc.property(cases, ([had, wanted, from]) => {
        const before = liveRuleset(lives(1, had));
        const [step] = plan([desiredRuleset(wants(from, wanted))], [[ENTRY, before]]).steps;
        let state = before;
        for (const write of step === undefined ? [] : writesOf(step, 'rules')) {
          state = serve(state, write) ?? state;
          expect(state.rules.length).toBeLessThanOrEqual(5);
        }
        expect(state.rules).toHaveLength(wanted);
      }),
      { numRuns: propertyRuns() },
    );
  });
});

describe('the order of steps', () => {
  const run = { action: 'execute', expression: 'true', action_parameters: { id: id(0xc) } } as const;
  const login = (rules: readonly LiveRule[]): LiveRuleset =>
    liveRuleset(rules, { id: id(0xc), kind: 'custom', name: 'Login' });

  it('puts the step that makes room before the one that needs it and waits for it, with a note', () => {
    const { steps, findings, notes } = plan(
      [
        desiredRuleset(wants(20, 3), { address: LOGIN }),
        desiredRuleset([desiredRule({ ref: 'run', ...run }), ...wants(1, 1)]),
      ],
      [
        [LOGIN, login(lives(20, 1))],
        [ENTRY, liveRuleset([liveRule(9, { ref: 'run', ...run }), ...lives(1, 3)])],
      ],
    );
    expect(findings).toEqual([]);
    expect(steps.map((step) => [step.id, step.after])).toEqual([
      [PLACE, []],
      [`${PLACE}/custom:login`, [PLACE]],
    ]);
    expect(notes.filter(({ kind }) => kind === 'quota-order')).toEqual([
      {
        kind: 'quota-order',
        step: `${PLACE}/custom:login`,
        rule: '',
        message: `waits for ${PLACE}: the quota has no room before`,
      },
    ]);
  });

  it('lets a new custom ruleset wait for the deletion of another one if the quota is full', () => {
    const second = { ...LOGIN, name: 'Second' } as const;
    const wanted = [
      desiredRuleset([], { address: LOGIN, presence: 'absent' }),
      desiredRuleset(wants(1, 1), { address: second }),
    ];
    const { steps, findings } = plan(wanted, [[LOGIN, login(lives(20, 1))]]);
    expect(steps.map(({ operation }) => operation)).toEqual(['delete', 'create']);
    expect(findings).toEqual([]);
    const roomy = plan(wanted, [[LOGIN, login(lives(20, 1))]], 'pro');
    expect(roomy.steps.map(({ operation }) => operation)).toEqual(['create', 'delete']);
  });

  it('stays within the quota after each step if some order does', () => {
    const counts = fc.tuple(...[0, 1, 2, 3].map(() => fc.integer({ min: 0, max: 4 })));
    fc.assert(
      fc.property(counts, ([inside = 0, outside = 0, nextInside = 0, nextOutside = 0]) => {
        const { steps } = plan(
          [
            desiredRuleset(wants(20, nextInside), { address: LOGIN }),
            desiredRuleset([desiredRule({ ref: 'run', ...run }), ...wants(1, nextOutside)]),
          ],
          [
            [LOGIN, login(lives(20, inside))],
            [ENTRY, liveRuleset([liveRule(9, { ref: 'run', ...run }), ...lives(1, outside)])],
          ],
        );
        const totals = (first: 'custom' | 'zone'): number[] => [
          1 + (first === 'custom' ? nextInside + outside : inside + nextOutside),
          1 + nextInside + nextOutside,
        ];
        const fits = (all: readonly number[]): boolean => all.every((total) => total <= 5);
        const levels = steps.map(({ target }) => target.level);
        fc.pre(levels.length === 2 && 1 + inside + outside <= 5);
        expect(fits(totals(levels[0] === 'custom' ? 'custom' : 'zone'))).toBe(
          fits(totals('custom')) || fits(totals('zone')),
        );
      }),
      { numRuns: propertyRuns() },
    );
  });
});

describe('the quota tables', () => {
  it('know plan levels, add-ons and accounts', () => {
    expect(ruleQuota('http_request_firewall_custom', 'zone', 'pro_plus')).toEqual({ limit: 40 });
    expect(ruleQuota('http_ratelimit', 'zone', 'enterprise')?.extended?.limit).toBe(100);
    expect(ruleQuota('http_ratelimit', 'account', undefined)).toEqual({ limit: 1000 });
    expect(ruleQuota('http_request_firewall_managed', 'zone', 'free')).toBeUndefined();
    expect([customRulesetQuota('zone', 'pro'), customRulesetQuota('zone', undefined)]).toEqual([
      2,
      undefined,
    ]);
  });
});
