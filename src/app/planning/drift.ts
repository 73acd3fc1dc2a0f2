import type { Drift } from '../../model/drift.ts';
import type { Plan } from '../../model/plan.ts';
import { driftChanges } from '../../plan/difference/drift-changes.ts';

/** Reads a plan the other way: as how live differs from the files. */
export function driftOf(plan: Plan): Drift {
  return { plan, changes: driftChanges(plan) };
}
