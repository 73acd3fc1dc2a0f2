import type { JsonObject, JsonValue } from '../data/index.ts';
import { isJsonObject, jsonEqual, textOf } from '../data/index.ts';
import type { ListUse } from './list.ts';
import { isId } from './scope.ts';
import type { Cause, SourceSpan } from './source.ts';

/**
 * The content of a rule, in the service's field names (api.md 3.2), without identifying fields. `extra` holds rule fields that this version
 * does not know; they are kept and sent back.
 */
export interface RuleContent {
  readonly action: string;
  /** Absent only in rules of managed rulesets (api.md 6.6), for which it is "" here. */
  readonly expression: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly action_parameters?: JsonObject;
  readonly logging?: JsonObject;
  readonly ratelimit?: JsonObject;
  readonly exposed_credential_check?: JsonObject;
  readonly extra?: JsonObject;
}

/** A rule as the files want it. */
export interface DesiredRule {
  /** Our stable name for the rule; absent when the file gives none. */
  readonly ref?: string;
  /** Id of the live rule that the file points at, if it does. */
  readonly id?: string;
  /** Whether the rule may take over a live rule that has another `ref`. */
  readonly adopt: boolean;
  /** The content is a whole rule as the service held it: fields that it lacks are removed, not carried over from live. */
  readonly exact?: true;
  /** A live rule of others, listed only to show where ours stand; it is never written. */
  readonly anchor?: true;
  /** May contain unresolved references such as `managed:…` and `custom:…`. */
  readonly content: RuleContent;
  /** The lists that the rule names, except those that the service maintains itself; absent when there are none. */
  readonly lists?: readonly ListUse[];
  /** The rulesets that the rule names, as far as their places in a file are known. */
  readonly rulesets?: readonly RulesetUse[];
  readonly cause: Cause;
}

/** A ruleset that a rule executes or skips, by name or id. */
export interface RulesetUse {
  /** As in the file: `managed:…`, `custom:…` or an id. */
  readonly reference: string;
  readonly where: SourceSpan;
}

/** A rule as the service holds it. */
export interface LiveRule {
  /** 32 hex characters. */
  readonly id: string;
  readonly ref: string;
  readonly content: RuleContent;
  /** Tags of a managed rule (api.md 3.2); absent on all others. */
  readonly categories?: readonly string[];
}

/**
 * Whether somebody chose the rule's `ref`. Otherwise the service sets it to the id (api.md 3.2), and a rule that was deleted and brought back
 * has its former id there: a `ref` that is any rule's id is no chosen name.
 */
export function isNamed({ id, ref }: { readonly id: string; readonly ref: string }): boolean {
  return ref !== id && !isId(ref);
}

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
