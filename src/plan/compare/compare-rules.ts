import jsonPatch from 'fast-json-patch';
import type { FieldChange, RuleContent } from '../../model/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import {
  isJsonArray,
  isJsonObject,
  jsonEqual,
  memberPointer,
  objectOf,
  pointerParts,
} from '../../data/index.ts';
import { canonicalContent } from '../../model/index.ts';
import { parseExpression, sameMeaning } from '../../expression/index.ts';

/** The result of comparing a live rule with the desired one. */
export type RuleComparison =
  | { readonly kind: 'equal' }
  /** Only the text of expressions differs, not their meaning. */
  | { readonly kind: 'respelled'; readonly fields: readonly FieldChange[] }
  | { readonly kind: 'different'; readonly fields: readonly FieldChange[] };

/** Compares two contents in canonical form, field by field. */
export function compareContent(live: RuleContent, desired: RuleContent): RuleComparison {
  const before = canonicalContent(live);
  const after = canonicalContent(desired);
  const members = differingMembers(before, after);
  if (members.length === 0) {
    return { kind: 'equal' };
  }
  const fields = changesOf(before, after, members);
  const isRespelled = fields.every((field) => isRespelling(countedBoth(field, live, desired)));
  return { kind: isRespelled ? 'respelled' : 'different', fields };
}

const COUNTED = '/ratelimit/counting_expression';

const EXPRESSION_PATHS: ReadonlySet<string> = new Set(['/expression', COUNTED]);

/**
 * Fills in the rule's expression for a missing counting expression, which is the default: the canonical form drops a counting expression that
 * is spelled like the rule's.
 */
function countedBoth(field: FieldChange, live: RuleContent, desired: RuleContent): FieldChange {
  if (field.path !== COUNTED || field.kind === 'changed') {
    return field;
  }
  const { path } = field;
  return field.kind === 'added'
    ? { kind: 'changed', path, before: live.expression, after: field.after }
    : { kind: 'changed', path, before: field.before, after: desired.expression };
}

/** Whether a change alters only the text of an expression, not its meaning. */
export function isRespelling(field: FieldChange): boolean {
  return (
    field.kind === 'changed' &&
    EXPRESSION_PATHS.has(field.path) &&
    typeof field.before === 'string' &&
    typeof field.after === 'string' &&
    compareExpressions(field.before, field.after) !== 'different'
  );
}

/**
 * Returns the fields in which two canonical rules differ, sorted by path. A list is one field, since an index tells a reader nothing; rule
 * overrides are compared by the id of the managed rule instead.
 */
export function fieldChanges(before: JsonObject, after: JsonObject): readonly FieldChange[] {
  return changesOf(before, after, differingMembers(before, after));
}

function changesOf(
  before: JsonObject,
  after: JsonObject,
  members: readonly string[],
): readonly FieldChange[] {
  if (members.every((key) => !isNested(before[key]) || !isNested(after[key]))) {
    // Most changed rules differ only in scalar fields, for which no JSON diff is needed.
    const fields = members.flatMap((key) => fieldChange(memberPointer('', key), before[key], after[key]));
    return fields.sort((a, b) => (a.path < b.path ? -1 : 1));
  }
  const left = keyOverrides(before);
  const right = keyOverrides(after);
  const paths = jsonPatch.compare(left, right).map((operation) => liftToList(left, right, operation.path));
  return [...new Set(paths)]
    .sort()
    .flatMap((path) => fieldChange(path, valueAt(left, path), valueAt(right, path)));
}

function differingMembers(before: JsonObject, after: JsonObject): readonly string[] {
  const members: string[] = [];
  for (const key in before) {
    if (!jsonEqual(before[key], after[key])) {
      members.push(key);
    }
  }
  for (const key in after) {
    if (before[key] === undefined && after[key] !== undefined) {
      members.push(key);
    }
  }
  return members;
}

function fieldChange(
  path: string,
  old: JsonValue | undefined,
  now: JsonValue | undefined,
): readonly FieldChange[] {
  if (old === undefined) {
    return now === undefined ? [] : [{ kind: 'added', path, after: now }];
  }
  return now === undefined
    ? [{ kind: 'removed', path, before: old }]
    : [{ kind: 'changed', path, before: old, after: now }];
}

function isNested(value: JsonValue | undefined): boolean {
  return typeof value === 'object' && value !== null;
}

/** Returns the content with `overrides.rules` as an object keyed by id, since the order of its entries has no meaning (api.md 5.3). */
export function keyOverrides(content: JsonObject): JsonObject {
  const parameters = content['action_parameters'];
  const overrides = objectOf(parameters)['overrides'];
  const rules = objectOf(overrides)['rules'];
  if (!isJsonObject(parameters) || !isJsonObject(overrides) || !isJsonArray(rules)) {
    return content;
  }
  const byId = new Map<string, JsonValue>();
  for (const rule of rules) {
    if (!isJsonObject(rule) || typeof rule['id'] !== 'string' || byId.has(rule['id'])) {
      return content;
    }
    byId.set(rule['id'], rule);
  }
  const keyed = Object.fromEntries(byId);
  return { ...content, action_parameters: { ...parameters, overrides: { ...overrides, rules: keyed } } };
}

/** Returns the path of the outermost list that a path leads through, or the path itself. */
function liftToList(left: JsonObject, right: JsonObject, path: string): string {
  const parts = path.split('/').slice(1);
  for (let length = 1; length < parts.length; length += 1) {
    const prefix = `/${parts.slice(0, length).join('/')}`;
    if (isJsonArray(valueAt(left, prefix)) || isJsonArray(valueAt(right, prefix))) {
      return prefix;
    }
  }
  return path;
}

/** Returns the value at a JSON Pointer, or undefined; also undefined for list items, since no path leads into a list. */
export function valueAt(root: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const key of pointerParts(pointer)) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) {
      return undefined;
    }
    value = value[key];
  }
  return value;
}

/** The relation of two expression texts: identical, provably the same meaning in other words, or not provably the same. */
type ExpressionComparison = 'identical' | 'respelled' | 'different';

/**
 * Compares two expressions; `respelled` only when the meaning is provably the same (rules-language.md 6.3). Nothing is known about a text that
 * does not parse, not even where its strings end.
 */
export function compareExpressions(a: string, b: string): ExpressionComparison {
  if (a === b) {
    return 'identical';
  }
  if (endsWithEnterpriseClause(a) !== endsWithEnterpriseClause(b)) {
    return 'different';
  }
  const one = parseExpression(a);
  const other = parseExpression(b);
  return one.ok && other.ok && sameMeaning(one.tree, other.tree) ? 'respelled' : 'different';
}

/** The service checks by the text that expressions of account rules end in this clause (api.md 4.4), so its place is not a matter of spelling. */
function endsWithEnterpriseClause(text: string): boolean {
  return /\band\s+cf\.zone\.plan\s+eq\s+"ENT"\s*$/.test(text);
}
