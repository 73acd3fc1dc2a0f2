import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/model/plan.ts';
import { DEFAULT_SAFETY } from '../../../src/model/settings.ts';
import { guardAgain } from '../../../src/plan/guard/guard-again.ts';
import { guardRun, guardScope } from '../../../src/plan/guard/guard-scope.ts';
import { findingsOf } from '../../../src/plan/guard/refusals.ts';
import { makePlan } from '../../../src/plan/document/make-plan.ts';
import { propertyRuns } from '../../property-runs.ts';
import { rulesetCases } from '../arbitraries.ts';
import { desiredRule, desiredRuleset, liveRule, liveRuleset } from '../build.ts';
import { planOne } from '../world.ts';

const TODAY = '2026-06-01';

function planOf(desired: ReturnType<typeof desiredRuleset>, live: ReturnType<typeof liveRuleset>): Plan {
  const scopes = [guardScope(planOne(desired, live), DEFAULT_SAFETY, TODAY)];
  return makePlan('emulator', scopes, guardRun(scopes, DEFAULT_SAFETY, TODAY));
}

describe('guardAgain', () => {
  it('finds in a saved plan what was found when it was made', () => {
    fc.assert(
      fc.property(rulesetCases(6), ({ live, desired }) => {
        const plan = planOf(desired, live);
        expect(guardAgain(plan, DEFAULT_SAFETY, TODAY)).toEqual(plan);
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('does not believe a file from which findings and weakening were taken', () => {
    const honest = planOf(desiredRuleset([]), liveRuleset([liveRule(1), liveRule(2, { ref: 'b' })]));
    const [scope] = honest.scopes;
    if (scope?.kind !== 'planned') {
      throw new Error('planned');
    }
    const steps = scope.steps.map((step) => ({
      ...step,
      changes: step.changes.map((change) => ({ ...change, protection: { kind: 'neutral' } as const })),
    }));
    const silent = { ...honest, scopes: [{ ...scope, findings: [], steps }] };
    expect(findingsOf(guardAgain(silent, DEFAULT_SAFETY, TODAY))).toEqual(findingsOf(honest));
  });

  it('guards with the settings of the run', () => {
    const plan = planOf(
      desiredRuleset([desiredRule({ ref: 'a', action: 'log' })]),
      liveRuleset([liveRule(1, { ref: 'a' })]),
    );
    const strict = guardAgain(plan, { ...DEFAULT_SAFETY, protect: ['a'], weakened: 'refuse' }, TODAY);
    expect(findingsOf(strict).map(({ kind, effect }) => `${kind} ${effect}`)).toEqual([
      'protected refuse',
      'weakened refuse',
    ]);
  });
});
