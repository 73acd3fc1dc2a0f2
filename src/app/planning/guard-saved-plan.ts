import type { Plan } from '../../model/plan.ts';
import { guardAgain } from '../../plan/guard/guard-again.ts';
import type { Guards } from '../project/project-guards.ts';

/** A plan from a file under the guards of this run; what the file says of guards is not believed. */
export function guardSavedPlan(plan: Plan, { safety, today }: Guards): Plan {
  return guardAgain(plan, safety, today);
}
