import type { Drift, Plan } from '../../model/index.ts';
import { driftChanges } from '../../plan/index.ts';

/** Reads a plan the other way: as how live differs from the files. */
export function driftOf(plan: Plan): Drift {
  return { plan, changes: driftChanges(plan) };
}
