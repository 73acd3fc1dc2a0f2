import type { Clock } from '../clock.ts';
import { type Refusal, refuse, serviceError } from '../protocol/refusal.ts';
import type { SettledRule } from '../rulesets/identity.ts';
import { inEffect } from './effect.ts';

/** Action parameters that no longer exist, by action and deprecation (api.md 12.1: Mirage). */
const REMOVED = [{ action: 'set_config', parameter: 'mirage', deprecation: 'mirage' }] as const;

/** The refusal of rules in a body that carry a parameter which has been removed by now; kept rules may still have it. */
export function removedParameterProblem(
  service: { readonly clock: Clock },
  settled: readonly SettledRule[],
): Refusal | undefined {
  const used = REMOVED.find(({ action, parameter }) =>
    settled.some(
      ({ rule, pointer }) =>
        pointer !== undefined &&
        rule.definition.action === action &&
        rule.definition.action_parameters?.[parameter] !== undefined,
    ),
  );
  return used !== undefined && inEffect(service, used.deprecation)
    ? refuse(400, serviceError(`invalid JSON: unknown field ${JSON.stringify(used.parameter)}`))
    : undefined;
}
