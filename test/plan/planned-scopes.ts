import type fc from 'fast-check';
import type { PlannedScope } from '../../src/model/plan.ts';
import { rulesetCases } from './arbitraries.ts';
import { planOne } from './world.ts';

/** Plans of a scope with one ruleset. */
export const plannedScopes: fc.Arbitrary<PlannedScope> = rulesetCases(12).map(({ desired, live }) =>
  planOne(desired, live),
);
