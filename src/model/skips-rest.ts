import { isJsonObject } from './json.ts';

/** What decides it, of a rule in a file or a live one. */
interface Skipping {
  readonly action?: unknown;
  readonly action_parameters?: unknown;
}

/** Whether a rule passes over all that follows it in its ruleset: the rest of the ruleset, or that of the phase (api.md 5.4). */
export function skipsRest({ action, action_parameters: parameters }: Skipping): boolean {
  return (
    action === 'skip' &&
    isJsonObject(parameters) &&
    (parameters['ruleset'] === 'current' || parameters['phase'] === 'current')
  );
}
