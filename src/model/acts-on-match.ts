import { isJsonObject } from './json.ts';

/** The rule fields that `actsOnEveryMatch` reads; the rule may be declared in a file or live. */
interface Conditions {
  readonly action_parameters?: unknown;
  readonly ratelimit?: unknown;
  readonly exposed_credential_check?: unknown;
}

/**
 * Whether a rule acts on every request that its expression matches. A rate limit acts only on requests above the limit, a credential check only
 * on leaked credentials, and a redirect by list only on URLs in the list.
 */
export function actsOnEveryMatch(rule: Conditions): boolean {
  const { action_parameters: parameters, ratelimit, exposed_credential_check: credentials } = rule;
  const byList = isJsonObject(parameters) && parameters['from_list'] !== undefined;
  return ratelimit === undefined && credentials === undefined && !byList;
}
