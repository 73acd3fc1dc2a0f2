import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/model/plan.ts';
import { DEFAULT_SAFETY } from '../../../src/model/guard.ts';
import { addressKey } from '../../../src/model/ruleset.ts';
import { guardAgain } from '../../../src/plan/guard/guard-again.ts';
import { guardRun, guardScope, findingsOf } from '../../../src/plan/guard/guard-scope.ts';
import { makePlan } from '../../../src/plan/document/make-plan.ts';
import { propertyRuns } from '../../property-runs.ts';
import { rulesetCases } from '../arbitraries.ts';
import { planScope } from '../../../src/plan/plan-scope.ts';
import { CAUSE, desiredRule, desiredRuleset, id, liveRule, liveRuleset, patterns } from '../build.ts';
import { planned, planOne, read, SCOPE } from '../world.ts';

const TODAY = '2026-06-01';

function planOf(
  desired: ReturnType<typeof desiredRuleset>,
  live: ReturnType<typeof liveRuleset> | null,
): Plan {
  const scopes = [guardScope(planOne(desired, live), DEFAULT_SAFETY, TODAY)];
  return makePlan('emulator', scopes, guardRun(scopes, DEFAULT_SAFETY, TODAY));
}

describe('guardAgain', () => {
  it('returns a plan unchanged that was guarded with the same settings', () => {
    fc.assert(
      fc.property(rulesetCases(6), ({ live, desired }) => {
        const plan = planOf(desired, live);
        expect(guardAgain(plan, DEFAULT_SAFETY, TODAY)).toEqual(plan);
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('restores findings and weakening that were removed from a file', () => {
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

  it('leaves a weakening in the words of the file, which knows what stands around the rule', () => {
    const plan = planOf(desiredRuleset([]), liveRuleset([liveRule(1, { ref: 'b' })]));
    const protection = { kind: 'weakening', reason: 'no longer protects what b alone did' } as const;
    const scopes = plan.scopes.map((scope) =>
      scope.kind === 'failed'
        ? scope
        : {
            ...scope,
            steps: scope.steps.map((step) => ({
              ...step,
              changes: step.changes.map((change) => ({ ...change, protection })),
            })),
          },
    );
    const found = findingsOf(guardAgain({ ...plan, scopes }, DEFAULT_SAFETY, TODAY));
    expect(found.flatMap(({ kind, reason }) => (kind === 'weakened' ? [reason] : []))).toEqual([
      protection.reason,
    ]);
  });

  it('keeps that rules which are not in the plan name what it deletes', () => {
    const address = { kind: 'custom', phase: 'http_request_firewall_custom', name: 'Shared' } as const;
    const inner = liveRuleset([], { id: id(0xa), kind: 'custom', name: 'Shared' });
    const runs = liveRule(1, { ref: 'run', action: 'execute', action_parameters: { id: inner.id } });
    const deleting = planned(
      planScope(
        {
          scope: { kind: 'zone', name: SCOPE.name },
          rulesetOwnership: 'declared',
          rulesets: [desiredRuleset([], { address, presence: 'absent' })],
          cause: CAUSE,
        },
        { ...read(new Map([[addressKey(address), inner]]), [address]), users: [liveRuleset([runs])] },
      ),
    );
    const plan = makePlan('emulator', [guardScope(deleting, DEFAULT_SAFETY, TODAY)]);
    expect(findingsOf(guardAgain(plan, DEFAULT_SAFETY, TODAY)).map(({ kind }) => kind)).toContain(
      'referenced',
    );
  });

  it('judges again which requests a rule of an entry point ends by itself', () => {
    const honest = planOf(
      desiredRuleset([
        desiredRule({ ref: 'a', expression: 'true' }),
        desiredRule({ ref: 'b', expression: 'ssl' }),
      ]),
      liveRuleset([liveRule(1, { ref: 'a' })]),
    );
    expect(findingsOf(honest).map(({ kind, rule }) => [kind, rule])).toEqual([
      ['every-request', 'a'],
      ['every-request', 'b'],
    ]);
    const [scope] = honest.scopes;
    if (scope?.kind !== 'planned') {
      throw new Error('planned');
    }
    const steps = scope.steps.map((step) => ({
      ...step,
      changes: step.changes.map(({ ends: _ends, ...change }) => change),
    }));
    const silent = { ...honest, scopes: [{ ...scope, findings: [], steps }] };
    expect(findingsOf(guardAgain(silent, DEFAULT_SAFETY, TODAY))).toEqual(findingsOf(honest));
  });

  it('trusts the plan about the condition under which a rule of a custom ruleset runs', () => {
    const address = { kind: 'custom', phase: 'http_request_firewall_custom', name: 'Shared' } as const;
    const unknown = planOf(
      desiredRuleset([desiredRule({ ref: 'a', expression: 'true' })], { address }),
      null,
    );
    expect(findingsOf(guardAgain(unknown, DEFAULT_SAFETY, TODAY))).toEqual(findingsOf(unknown));
    expect(findingsOf(unknown)).toHaveLength(1);
    const runs = desiredRule({
      ref: 'run',
      action: 'execute',
      expression: 'http.request.uri.path eq "/login"',
      action_parameters: { id: 'custom:shared' },
    });
    const known = planned(
      planScope(
        {
          scope: { kind: 'zone', name: SCOPE.name },
          rulesetOwnership: 'declared',
          rulesets: [
            desiredRuleset([desiredRule({ ref: 'a', expression: 'true' })], { address }),
            desiredRuleset([runs]),
          ],
          cause: CAUSE,
        },
        read(new Map(), [address, { kind: 'entrypoint', phase: address.phase }]),
      ),
    );
    const plan = makePlan('emulator', [guardScope(known, DEFAULT_SAFETY, TODAY)]);
    expect(findingsOf(guardAgain(plan, DEFAULT_SAFETY, TODAY))).toEqual([]);
  });

  it('finds rules of others that are deleted with their ruleset from the plan alone', () => {
    const address = { kind: 'custom', phase: 'http_request_firewall_custom', name: 'Shared' } as const;
    const plan = planOf(
      desiredRuleset([], { address, presence: 'absent', ownership: patterns('ours-*') }),
      liveRuleset([liveRule(1, { ref: 'theirs' })], { kind: 'custom', name: 'Shared' }),
    );
    const stripped = { ...plan, scopes: plan.scopes.map((scope) => ({ ...scope, findings: [] })) };
    const found = findingsOf(guardAgain(stripped, DEFAULT_SAFETY, TODAY));
    expect(found.map(({ kind, effect, rule }) => [kind, effect, rule])).toContainEqual([
      'foreign',
      'refuse',
      'theirs',
    ]);
  });

  it('applies the guard settings of the run', () => {
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
