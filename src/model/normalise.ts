import type { JsonObject, JsonValue } from '../data/index.ts';
import {
  canonicalJson,
  isJsonArray,
  isJsonObject,
  jsonEqual,
  listOf,
  objectOf,
  omit,
} from '../data/index.ts';
import { compareText } from '../text/index.ts';
import { actionKind, isKnownAction } from './actions.ts';
import { readQueryNames } from './cache-settings.ts';
import type { RuleContent } from './rule.ts';

/**
 * Returns the canonical form of a rule's content: what the service would hold, with absent and default values made equal by the table of api.md
 * 5.17. Two rules do the same when their canonical forms are equal, up to the meaning of their expressions. This is the only place where absent
 * and default values are made equal.
 */
export function canonicalContent(content: RuleContent): JsonObject {
  const parameters =
    content.action_parameters === undefined
      ? undefined
      : emptyToAbsent(canonicalParameters(content.action, content.action_parameters));
  const ratelimit =
    content.ratelimit === undefined ? undefined : canonicalRatelimit(content.ratelimit, content.expression);
  const canonical: Record<string, JsonValue> = {
    action: content.action,
    description: content.description,
    enabled: content.enabled,
    expression: content.expression.trim(),
  };
  if (parameters !== undefined) {
    canonical['action_parameters'] = parameters;
  }
  if (actionKind(content.action) === 'skip') {
    // Stored and returned for skip rules only, where the default is { enabled: true } (api.md 0.3 fact 16).
    canonical['logging'] = content.logging ?? { enabled: true };
  } else if (content.logging !== undefined && !isKnownAction(content.action) && !isUsual(content.logging)) {
    canonical['logging'] = content.logging;
  }
  if (ratelimit !== undefined) {
    canonical['ratelimit'] = ratelimit;
  }
  if (content.exposed_credential_check !== undefined) {
    canonical['exposed_credential_check'] = content.exposed_credential_check;
  }
  return content.extra === undefined ? canonical : { ...canonical, ...content.extra };
}

function isUsual(logging: JsonObject): boolean {
  return jsonEqual(logging, { enabled: true });
}

type ParameterRule = (parameters: JsonObject) => JsonObject;

/** How to make the parameters of each action canonical; other actions keep theirs as they are. */
const PARAMETER_RULES: ReadonlyMap<string, ParameterRule> = new Map<string, ParameterRule>([
  ['execute', canonicalExecute],
  ['skip', canonicalSkip],
  ['redirect', canonicalRedirect],
  ['set_cache_settings', canonicalCacheSettings],
  ['set_config', canonicalConfig],
  ['set_cache_control', (parameters) => mapMembers(parameters, dropFalse('cloudflare_only'))],
  ['log_custom_field', canonicalLogFields],
]);

function canonicalParameters(action: string, parameters: JsonObject): JsonObject {
  return PARAMETER_RULES.get(action)?.(parameters) ?? parameters;
}

function emptyToAbsent(object: JsonObject): JsonObject | undefined {
  return Object.keys(object).length === 0 ? undefined : object;
}

function canonicalExecute(parameters: JsonObject): JsonObject {
  const { overrides, ...rest } = parameters;
  const kept = rest['version'] === 'latest' ? omit(rest, ['version']) : rest;
  const canonical = isJsonObject(overrides) ? emptyToAbsent(canonicalOverrides(overrides)) : undefined;
  return canonical === undefined ? kept : { ...kept, overrides: canonical };
}

/** The order of `rules` has no meaning, and each id has one entry; the order of `categories` matters (api.md 5.3). */
function canonicalOverrides(overrides: JsonObject): JsonObject {
  const { rules, categories, ...rest } = overrides;
  return {
    ...rest,
    ...(isJsonArray(categories) && categories.length > 0 ? { categories } : {}),
    ...(isJsonArray(rules) && rules.length > 0 ? { rules: sortedBy(rules, overrideId) } : {}),
  };
}

function overrideId(value: JsonValue): string {
  return isJsonObject(value) && typeof value['id'] === 'string' ? value['id'] : canonicalJson(value);
}

function canonicalSkip(parameters: JsonObject): JsonObject {
  const sorted = mapMembers(parameters, (value) =>
    isJsonArray(value) ? sortedBy(value, canonicalJson) : value,
  );
  const { rules, ...rest } = sorted;
  if (!isJsonObject(rules)) {
    return sorted;
  }
  // Seen in answers: a ruleset listed without rule ids is skipped as a whole (api.md 5.4).
  const isWhole = (ids: JsonValue | undefined) => isJsonArray(ids) && ids.length === 0;
  const whole = Object.keys(rules).filter((id) => isWhole(rules[id]));
  const named = mapMembers(omit(rules, whole), (ids) =>
    isJsonArray(ids) ? sortedBy(ids, canonicalJson) : ids,
  );
  const listed = listOf(rest['rulesets']);
  return {
    ...rest,
    ...(whole.length === 0 ? {} : { rulesets: sortedBy([...new Set([...listed, ...whole])], canonicalJson) }),
    ...(Object.keys(named).length === 0 ? {} : { rules: named }),
  };
}

function canonicalRedirect(parameters: JsonObject): JsonObject {
  const fromValue = parameters['from_value'];
  return isJsonObject(fromValue)
    ? { ...parameters, from_value: dropFalse('preserve_query_string')(fromValue) }
    : parameters;
}

function canonicalLogFields(parameters: JsonObject): JsonObject {
  return mapMembers(parameters, (fields) =>
    isJsonArray(fields) ? fields.map((field) => dropFalse('preserve_duplicates')(field)) : fields,
  );
}

/** What the service stores for the kinds of files that `autominify` does not name. */
const MINIFIES_NOTHING: JsonObject = { css: false, html: false, js: false };

function canonicalConfig(parameters: JsonObject): JsonObject {
  const { autominify } = parameters;
  return isJsonObject(autominify)
    ? { ...parameters, autominify: { ...MINIFIES_NOTHING, ...autominify } }
    : parameters;
}

/** An object without members sets nothing, so it is as good as absent, at any depth. */
function canonicalCacheSettings(parameters: JsonObject): JsonObject {
  return withoutEmpty(canonicalQueries(parameters));
}

function withoutEmpty(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]): readonly (readonly [string, JsonValue])[] => {
      const kept = isJsonObject(value) ? emptyToAbsent(withoutEmpty(value)) : value;
      return kept === undefined ? [] : [[key, kept]];
    }),
  );
}

/** Query string lists have five wire forms (api.md 5.11). */
function canonicalQueries(parameters: JsonObject): JsonObject {
  const cacheKey = parameters['cache_key'];
  const customKey = objectOf(cacheKey)['custom_key'];
  const query = objectOf(customKey)['query_string'];
  if (!isJsonObject(cacheKey) || !isJsonObject(customKey) || !isJsonObject(query)) {
    return parameters;
  }
  const query_string = mapMembers(query, canonicalQueryList);
  return { ...parameters, cache_key: { ...cacheKey, custom_key: { ...customKey, query_string } } };
}

function canonicalQueryList(value: JsonValue): JsonValue {
  if (readQueryNames(value) === 'all') {
    return { all: true };
  }
  return isJsonArray(value) ? { list: value } : value;
}

/** What the service stores where a rate limit names no `mitigation_timeout`, whatever its action (api.md 5.17). */
export const DEFAULT_MITIGATION_TIMEOUT = 0;

function canonicalRatelimit(ratelimit: JsonObject, expression: string): JsonObject {
  const {
    counting_expression,
    mitigation_expression: _ignored,
    mitigation_timeout,
    requests_to_origin,
    ...rest
  } = ratelimit;
  const { characteristics } = rest;
  const counts = counting_expression !== '' && counting_expression !== expression;
  return {
    ...rest,
    // The order has no meaning: each combination of their values has one counter.
    ...(isJsonArray(characteristics) ? { characteristics: sortedBy(characteristics, canonicalJson) } : {}),
    mitigation_timeout: mitigation_timeout ?? DEFAULT_MITIGATION_TIMEOUT,
    requests_to_origin: requests_to_origin ?? false,
    ...(counts && counting_expression !== undefined ? { counting_expression } : {}),
  };
}

function dropFalse(key: string): (value: JsonValue) => JsonValue {
  return (value) => (isJsonObject(value) && value[key] === false ? omit(value, [key]) : value);
}

function mapMembers(object: JsonObject, change: (value: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

function sortedBy(values: readonly JsonValue[], key: (value: JsonValue) => string): readonly JsonValue[] {
  return values
    .map((value) => ({ value, key: key(value) }))
    .sort((a, b) => compareText(a.key, b.key))
    .map((entry) => entry.value);
}
