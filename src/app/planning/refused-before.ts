import type { Outcome } from '../../model/outcome.ts';
import type { PlannedScope } from '../../model/plan.ts';

/**
 * The outcome of every step of a plan that is not begun, by what stands against some of its steps; empty when nothing does.
 */
export function refusedBefore(
  scopes: readonly PlannedScope[],
  against: ReadonlyMap<string, Outcome>,
): readonly Outcome[] {
  return against.size === 0
    ? []
    : scopes.flatMap(({ steps }) =>
        steps.map(
          ({ id }): Outcome =>
            against.get(id) ?? {
              kind: 'not-reached',
              step: id,
              reason: 'another step of the plan was refused',
            },
        ),
      );
}
