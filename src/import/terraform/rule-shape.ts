import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isJsonArray, isJsonObject, listOf, objectsIn, textOf } from '../../data/index.ts';

/** Blocks that stand at most once, and that version 4 of the provider and older ones keep as a list of one (its `rulesets/model.go`). */
const SINGLE_BLOCKS: ReadonlySet<string> = new Set([
  'action_parameters',
  'autominify',
  'browser_ttl',
  'cache_key',
  'cache_reserve',
  'cookie',
  'custom_key',
  'edge_ttl',
  'exposed_credential_check',
  'from_list',
  'from_value',
  'header',
  'host',
  'logging',
  'matched_data',
  'origin',
  'overrides',
  'path',
  'query',
  'query_string',
  'ratelimit',
  'response',
  'serve_stale',
  'sni',
  'status_code_range',
  'target_url',
  'uri',
  'user',
]);

/** Lists of fields to log, which version 4 keeps as texts. */
const LOGGED: readonly string[] = ['cookie_fields', 'request_fields', 'response_fields'];

/**
 * Returns a rule of a state as the service writes rules (api.md 3.2), whichever version of the provider the state is from: without what is null,
 * blocks of version 4 as objects, headers by name, rules to skip as lists, and words of version 3.
 */
export function wireRule(rule: JsonObject): JsonObject {
  const { action_parameters: parameters, ...rest } = memberwise(rule);
  return isJsonObject(parameters)
    ? { ...rest, action_parameters: wireParameters(parameters, textOf(rest['action'])) }
    : rest;
}

function memberwise(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]): readonly (readonly [string, JsonValue])[] => {
      const kept = wireValue(key, member);
      return kept === undefined ? [] : [[key, kept]];
    }),
  );
}

function wireValue(key: string, value: JsonValue): JsonValue | undefined {
  if (value === null) {
    return undefined;
  }
  if (isJsonArray(value)) {
    const items = value.map((item) => (isJsonObject(item) ? memberwise(item) : item));
    return SINGLE_BLOCKS.has(key) && items.every((item) => isJsonObject(item)) ? items[0] : items;
  }
  return isJsonObject(value) ? memberwise(value) : value;
}

function wireParameters(parameters: JsonObject, action: string): JsonObject {
  const { headers, rules, overrides, ...rest } = parameters;
  const named = action === 'set_cache_control' ? dashed(rest) : rest;
  return {
    ...Object.fromEntries(
      Object.entries(named).map(([key, value]) => [key, LOGGED.includes(key) ? loggedFields(value) : value]),
    ),
    ...(headers === undefined ? {} : { headers: headersByName(headers) }),
    ...(rules === undefined ? {} : { rules: skippedRules(rules) }),
    ...(isJsonObject(overrides) ? { overrides: wireOverrides(overrides) } : {}),
  };
}

/** Directives of Cache-Control have dashes in the service, and none in Terraform, where a dash cannot stand in a name. */
function dashed(parameters: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(parameters).map(([key, value]) => [key.replaceAll('_', '-'), value]),
  );
}

function loggedFields(value: JsonValue): JsonValue {
  return listOf(value).map((field) => (typeof field === 'string' ? { name: field } : field));
}

function headersByName(headers: JsonValue): JsonValue {
  return isJsonArray(headers)
    ? Object.fromEntries(objectsIn(headers).map(({ name, ...header }) => [textOf(name), header]))
    : headers;
}

function skippedRules(rules: JsonValue): JsonValue {
  return isJsonObject(rules)
    ? Object.fromEntries(
        Object.entries(rules).map(([ruleset, ids]) => [
          ruleset,
          typeof ids === 'string' ? ids.split(',').map((id) => id.trim()) : ids,
        ]),
      )
    : rules;
}

/** Version 3 said `status: enabled` where the service has `enabled: true`, since it could not tell false from absent. */
function wireOverrides({ status, ...overrides }: JsonObject): JsonObject {
  const said = status === 'enabled' || status === 'disabled' ? { enabled: status === 'enabled' } : {};
  return {
    ...Object.fromEntries(
      Object.entries(overrides).map(([key, value]) => [
        key,
        key === 'rules' || key === 'categories' ? objectsIn(value).map(wireOverrides) : value,
      ]),
    ),
    ...said,
  };
}

/**
 * Returns a value without members that say nothing, where live lacks them: old versions of the provider wrote "", 0 and false for what nobody set.
 * Without `live`, false is kept, since it may be meant.
 */
export function withoutUnset(value: JsonObject, live: JsonObject | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]): readonly (readonly [string, JsonValue])[] => {
      const beside = live?.[key];
      const inner =
        isJsonObject(member) && (live === undefined || isJsonObject(beside))
          ? withoutUnset(member, isJsonObject(beside) ? beside : undefined)
          : isJsonArray(member)
            ? member.map((item, index) => itemWithoutUnset(item, listOf(beside)[index]))
            : member;
      return beside === undefined && saysNothing(inner, live === undefined) ? [] : [[key, inner]];
    }),
  );
}

function itemWithoutUnset(item: JsonValue, live: JsonValue | undefined): JsonValue {
  return isJsonObject(item) ? withoutUnset(item, isJsonObject(live) ? live : undefined) : item;
}

function saysNothing(value: JsonValue, isAlone: boolean): boolean {
  return (
    value === '' ||
    value === 0 ||
    (value === false && !isAlone) ||
    (isJsonArray(value) && value.length === 0) ||
    (isJsonObject(value) && Object.keys(value).length === 0)
  );
}
