import type fc from 'fast-check';
import type { PlannedScope } from '../../src/model/plan.ts';
import { planScope } from '../../src/plan/plan-scope.ts';
import { rulesetCases } from './arbitraries.ts';
import { CAUSE, id } from './build.ts';

/** Plans of a scope with one ruleset. */
export const plannedScopes: fc.Arbitrary<PlannedScope> = rulesetCases(12).map(({ desired, live }) => {
  const plan = planScope(
    {
      scope: { kind: 'zone', name: 'shop.example' },
      rulesetOwnership: 'declared',
      rulesets: [desired],
      cause: CAUSE,
    },
    {
      scope: { kind: 'zone', id: id(1), name: 'shop.example', accountId: id(2) },
      entries: [{ address: desired.address, slot: { kind: 'present', ruleset: live } }],
      catalogue: [],
    },
  );
  if (plan.kind === 'failed') {
    throw new Error(plan.error.message);
  }
  return plan;
});
