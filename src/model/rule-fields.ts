import type { JsonObject, JsonValue } from './json.ts';
import { isJsonObject, jsonEqual, textOf } from './json.ts';
import type { RuleContent } from './rule.ts';

/** Rule fields that identify a rule or that only the service writes; never part of the content (api.md 3.2, 5.17). */
export const READ_ONLY_RULE_FIELDS = [
  'id',
  'ref',
  'version',
  'last_updated',
  'categories',
  'score_threshold',
] as const;

/** Content fields whose values are objects. */
export const OBJECT_FIELDS = [
  'action_parameters',
  'logging',
  'ratelimit',
  'exposed_credential_check',
] as const;

/** All content fields that this version knows, in the order in which they are sent. */
export const CONTENT_FIELDS = ['action', 'expression', 'description', 'enabled', ...OBJECT_FIELDS] as const;

export function isObjectField(key: string): boolean {
  return OBJECT_FIELDS.some((field) => field === key);
}

type Growing = { -readonly [Field in keyof RuleContent]: RuleContent[Field] };

/**
 * Reads the content of a rule in wire form. Absent `description` and `enabled` become the service's defaults "" and true; fields that this
 * version does not know go to `extra`.
 */
export function contentFromWire(wire: JsonObject): RuleContent {
  const content: Growing = {
    action: textOf(wire['action']),
    expression: textOf(wire['expression']),
    description: textOf(wire['description']),
    enabled: wire['enabled'] !== false,
  };
  let extra: [string, JsonValue][] | undefined;
  let objects = false;
  // Every rule of every answer comes through here; the switch takes a fifth of the time of a set lookup per key.
  for (const key in wire) {
    switch (key) {
      case 'id':
      case 'ref':
      case 'version':
      case 'last_updated':
      case 'categories':
      case 'score_threshold':
      case 'action':
      case 'expression':
      case 'description':
      case 'enabled':
        break;
      case 'action_parameters':
      case 'logging':
      case 'ratelimit':
      case 'exposed_credential_check':
        objects = true;
        break;
      default:
        (extra ??= []).push([key, wire[key] ?? null]);
    }
  }
  for (const key of objects ? OBJECT_FIELDS : []) {
    const value = wire[key];
    // Other values under these names are no content that we could send.
    if (isJsonObject(value)) {
      content[key] = value;
    }
  }
  if (extra !== undefined) {
    content.extra = Object.fromEntries(extra);
  }
  return content;
}

/** Returns the wire form of a rule without its id. */
export function ruleToWire({
  ref,
  content,
}: {
  readonly ref: string;
  readonly content: RuleContent;
}): JsonObject {
  return { ref, ...contentToWire(content) };
}

/** Returns the wire form of a rule's content as it is sent; of the defaults, only `enabled` is spelled out. */
export function contentToWire(content: RuleContent): JsonObject {
  const wire: Record<string, JsonValue> = {};
  for (const field of CONTENT_FIELDS) {
    const value = content[field];
    if (value !== undefined && !(field === 'description' && value === '')) {
      wire[field] = value;
    }
  }
  return content.extra === undefined ? wire : { ...wire, ...content.extra };
}

/**
 * Whether two contents are equal field by field, without equating absent and default values. A cheap first check: if true, the canonical forms
 * are equal too.
 */
export function identicalContent(a: RuleContent, b: RuleContent): boolean {
  return (
    a.action === b.action &&
    a.expression === b.expression &&
    a.description === b.description &&
    a.enabled === b.enabled &&
    jsonEqual(a.action_parameters, b.action_parameters) &&
    jsonEqual(a.logging, b.logging) &&
    jsonEqual(a.ratelimit, b.ratelimit) &&
    jsonEqual(a.exposed_credential_check, b.exposed_credential_check) &&
    jsonEqual(a.extra, b.extra)
  );
}
