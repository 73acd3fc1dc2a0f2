import { isJsonObject, objectOf, memoiseWeakly } from '../data/index.ts';
import type { JsonObject } from '../data/index.ts';
import { KNOWN_ACTION_PARAMETERS } from './generated/known-fields.ts';
import type { RuleContent } from './rule.ts';

/** Whether this version knows what an action does. The service may have newer actions, about which nothing can be proven. */
export function isKnownAction(action: string): boolean {
  return KNOWN_ACTION_PARAMETERS.has(action);
}

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

/**
 * Actions whose parameters are settings. Among the matching rules of a phase, the last one decides each setting; likewise the last `rewrite`
 * decides each header and URL part. For all other actions the first rule that ends evaluation decides (api.md 4.3).
 */
export const SETTING_ACTIONS: ReadonlySet<string> = new Set([
  'compress_response',
  'route',
  'set_cache_control',
  'set_cache_settings',
  'set_cache_tags',
  'set_config',
]);

type Deciding = Pick<RuleContent, 'action' | 'action_parameters'>;

/** Whether among matching rules with this action the last one decides, rather than the first. */
export function lastDecides(action: string): boolean {
  return action === 'rewrite' || SETTING_ACTIONS.has(action);
}

/** The parts that a rule decides if it is the last to match, as paths: `ssl`, `headers/x-frame-options`, `uri/path`. */
export const decidedParts = memoiseWeakly(
  (content: Deciding): ReadonlySet<string> => new Set(partsOf(content)),
);

function partsOf({ action, action_parameters: parameters = {} }: Deciding): readonly string[] {
  if (!lastDecides(action)) {
    return [];
  }
  const within = (key: string): readonly string[] =>
    Object.keys(objectOf(parameters[key])).map((part) => partOf(key, part));
  return action === 'rewrite' ? [...within('headers'), ...within('uri')] : Object.keys(parameters);
}

/** Returns the rule reduced to the parameters that decide the given parts. */
export function onlyParts<Rule extends Deciding>(rule: Rule, parts: ReadonlySet<string>): Rule {
  if (decidedParts(rule).size === parts.size) {
    return rule;
  }
  const { action, action_parameters: parameters = {} } = rule;
  const pick = (object: JsonObject, nameOf: (key: string) => string): JsonObject =>
    Object.fromEntries(Object.entries(object).filter(([key]) => parts.has(nameOf(key))));
  const picked =
    action === 'rewrite'
      ? Object.fromEntries(
          Object.entries(parameters).flatMap(([key, value]) =>
            isJsonObject(value) ? [[key, pick(value, (part) => partOf(key, part))]] : [],
          ),
        )
      : pick(parameters, (key) => key);
  return { ...rule, action_parameters: picked };
}

/** Lower-cased, since header names are case-insensitive. */
function partOf(key: string, part: string): string {
  return `${key}/${part.toLowerCase()}`;
}
