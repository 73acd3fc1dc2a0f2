import type { Drift } from '../../model/drift.ts';
import type { Plan } from '../../model/plan.ts';
import { driftChanges } from '../../plan/difference/drift-changes.ts';

/** A plan read the other way. */
export function driftOf(plan: Plan): Drift {
  return { plan, changes: driftChanges(plan) };
}
