import { isJsonObject } from './json.ts';

/** What decides it, of a rule in a file or a live one. */
interface Conditions {
  readonly action_parameters?: unknown;
  readonly ratelimit?: unknown;
  readonly exposed_credential_check?: unknown;
}

/**
 * Whether a rule acts on everything that its expression matches. A rate limit acts on what is too much, a credential check on what has
 * leaked, and a redirect by list on what the list has.
 */
export function actsOnEveryMatch(rule: Conditions): boolean {
  const { action_parameters: parameters, ratelimit, exposed_credential_check: credentials } = rule;
  const byList = isJsonObject(parameters) && parameters['from_list'] !== undefined;
  return ratelimit === undefined && credentials === undefined && !byList;
}
