import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/model/plan.ts';
import type { Safety } from '../../../src/model/guard.ts';
import { DEFAULT_SAFETY } from '../../../src/model/guard.ts';
import { guardPart } from '../../../src/plan/guard/guard-again.ts';
import { guardRun, guardScope, findingsOf, refusals } from '../../../src/plan/guard/guard-scope.ts';
import { makePlan } from '../../../src/plan/document/make-plan.ts';
import { desiredRule, desiredRuleset, liveRule, liveRuleset } from '../build.ts';
import { planOne } from '../world.ts';

const TODAY = '2026-06-01';
const LAX: Safety = {
  ...DEFAULT_SAFETY,
  maxChanged: { kind: 'count', count: 100 },
  maxDeleted: { kind: 'count', count: 2 },
  minRules: 0,
};

/** A zone with four rules, the first `changed` of which change. */
function zone(name: string, changed: number, safety: Safety) {
  const numbers = [1, 2, 3, 4];
  const live = numbers.map((number) => liveRule(number, { ref: `r${number}` }));
  const desired = numbers.map((number) =>
    desiredRule({ ref: `r${number}`, ...(number <= changed ? { action: 'log' } : {}) }),
  );
  const plan = planOne(desiredRuleset(desired), liveRuleset(live));
  return guardScope({ ...plan, scope: { ...plan.scope, name } }, safety, TODAY);
}

function planOf(scopes: readonly ReturnType<typeof zone>[], safety: Safety): Plan {
  return makePlan('emulator', scopes, guardRun(scopes, safety, TODAY));
}

const refused = (plan: Plan): readonly string[] =>
  refusals(findingsOf(plan), { kinds: [] }).map(({ kind }) => kind);

describe('guardPart', () => {
  const safety = { ...LAX, maxChanged: { kind: 'percent', percent: 50 } as const };
  const zones = [zone('a.example', 2, safety), zone('b.example', 2, safety), zone('c.example', 2, safety)];

  it('lets a part pass with what the review saw in the whole plan', () => {
    const strict = { ...safety, maxScopes: 1 };
    const whole = planOf(zones, strict);
    const part = planOf(zones.slice(1), strict);
    const leave = { kinds: [], reviewed: findingsOf(whole) };
    expect(refusals(findingsOf(part), leave).map(({ kind }) => kind)).toEqual(['scopes']);
    const judged = guardPart(part, whole, strict, TODAY);
    expect([judged.findings, refusals(findingsOf(judged), leave)]).toEqual([whole.findings, []]);
  });

  it('refuses by guards that are stricter than in the review, with the numbers of the whole run', () => {
    const whole = planOf(zones, safety);
    const strict = { ...safety, maxChanged: { kind: 'count', count: 5 } as const };
    const judged = guardPart(planOf(zones.slice(1), safety), whole, strict, TODAY);
    expect(refusals(findingsOf(judged), { kinds: [], reviewed: findingsOf(whole) })).toEqual([
      expect.objectContaining({
        kind: 'changed',
        message:
          'the whole run (3 scopes): 6 of our 12 live rules would change or move; max_changed allows 5',
      }),
    ]);
  });

  it('refuses nothing when only the part exceeds a share', () => {
    const share = { ...safety, minRules: 10 };
    const all = [1, 1, 1, 1, 1, 1, 4, 4].map((changed, at) => zone(`z${at}.example`, changed, share));
    const [part, whole] = [planOf(all.slice(6), share), planOf(all, share)];
    expect([refused(part), refused(whole), refused(guardPart(part, whole, share, TODAY))]).toEqual([
      ['changed'],
      [],
      [],
    ]);
  });

  it('lets the rest of a ruleset pass with what the review saw in the whole ruleset', () => {
    const strict = { ...safety, maxChanged: { kind: 'count', count: 1 } as const };
    const whole = planOf([zone('a.example', 3, strict), zone('b.example', 4, strict)], strict);
    const part = planOf([zone('a.example', 2, strict)], strict);
    const leave = { kinds: [], reviewed: findingsOf(whole) };
    expect(refusals(findingsOf(part), leave)).toHaveLength(1);
    const judged = guardPart(part, whole, strict, TODAY);
    expect(refusals(findingsOf(judged), leave)).toEqual([]);
    const counts = findingsOf(judged).filter(({ kind }) => kind === 'changed');
    expect(counts.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^the whole run .*: 7 of our 8 /),
      expect.stringMatching(/: 3 of our 4 /),
    ]);
  });

  it('keeps refusals within a single ruleset of the part', () => {
    const own = { ...safety, protect: ['r1'] };
    const part = planOf([zone('a.example', 2, own), zone('b.example', 2, own)], own);
    expect(refused(guardPart(part, planOf(zones, safety), own, TODAY))).toEqual(['protected', 'protected']);
  });
});
