import { isJsonObject } from './json.ts';

/** The rule fields that `skipsRest` reads; the rule may be declared in a file or live. */
interface Skipping {
  readonly action?: unknown;
  readonly action_parameters?: unknown;
}

/** Whether a rule skips all rules after it in its ruleset: the rest of the ruleset, or of the phase (api.md 5.4). */
export function skipsRest({ action, action_parameters: parameters }: Skipping): boolean {
  return (
    action === 'skip' &&
    isJsonObject(parameters) &&
    (parameters['ruleset'] === 'current' || parameters['phase'] === 'current')
  );
}
