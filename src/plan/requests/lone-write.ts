import type { PlannedScope } from '../../model/plan.ts';
import type { WriteStrategy } from './writes.ts';
import { writesOf } from './writes.ts';

/**
 * Whether all there is to write is one request. The service does it whole or refuses it, and either way nothing of
 * the plan is left half-done: a dry run before it could only say what the request itself says.
 */
export function isLoneWrite(scopes: readonly PlannedScope[], strategy: WriteStrategy): boolean {
  const steps = scopes.flatMap((scope) => scope.steps);
  const [only, ...others] = steps;
  return only !== undefined && others.length === 0 && writesOf(only, strategy).length === 1;
}
