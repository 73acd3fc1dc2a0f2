import type { Drift } from '../../model/drift.ts';
import type { Plan } from '../../model/plan.ts';
import { driftChanges } from '../../plan/difference/drift-changes.ts';

/** Reads a plan the other way: what changed live since the files were applied. */
export function driftOf(plan: Plan): Drift {
  return { plan, changes: driftChanges(plan) };
}
