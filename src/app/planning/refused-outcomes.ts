import { stepIds } from '../../model/index.ts';
import type { Outcome, PlannedScope } from '../../model/index.ts';

/**
 * Returns the outcome of every step of a plan that is refused before its first step, from the refusals of single steps; empty
 * without refusals.
 */
export function refusedOutcomes(
  scopes: readonly PlannedScope[],
  refusals: ReadonlyMap<string, Outcome>,
): readonly Outcome[] {
  return refusals.size === 0
    ? []
    : scopes.flatMap((scope) =>
        stepIds(scope).map(
          (step): Outcome =>
            refusals.get(step) ?? {
              kind: 'not-reached',
              step,
              reason: 'another step of the plan was refused',
            },
        ),
      );
}
