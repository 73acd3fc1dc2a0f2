import type { Clock } from '../environment/clock.ts';
import { refuse } from '../protocol/refusal.ts';
import type { SettledRule } from './identity.ts';
import { inEffect } from '../environment/in-effect.ts';

/** Action parameters that the service has removed, with their action and deprecation (api.md 12.1: Mirage). */
const REMOVED = [{ action: 'set_config', parameter: 'mirage', deprecation: 'mirage' }] as const;

/**
 * Refuses rules of a body that have a parameter which has been removed by now; rules that are kept unchanged may still
 * have it.
 */
export function checkRemovedParameter(
  service: { readonly clock: Clock },
  settled: readonly SettledRule[],
): void {
  const used = REMOVED.find(({ action, parameter }) =>
    settled.some(
      ({ rule, pointer }) =>
        pointer !== undefined &&
        rule.definition.action === action &&
        rule.definition.action_parameters?.[parameter] !== undefined,
    ),
  );
  if (used !== undefined && inEffect(service, used.deprecation)) {
    throw refuse(400, `invalid JSON: unknown field ${JSON.stringify(used.parameter)}`);
  }
}
