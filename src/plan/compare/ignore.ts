import type { Ignored, RuleContent, DesiredScope } from '../../model/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isJsonArray, isJsonObject, jsonEqual, objectOf, omit, pointerParts } from '../../data/index.ts';
import { canonicalContent, contentFromWire, contentToWire } from '../../model/index.ts';
import { matchesStars } from '../../text/index.ts';
import type { Carried } from './carry.ts';
import { fieldChanges, keyOverrides, valueAt } from './compare-rules.ts';

/** Returns the ignore entries that concern a rule. */
export function ignoredOf(ignore: readonly Ignored[], ref: string): readonly Ignored[] {
  return ignore.length === 0 ? ignore : ignore.filter((entry) => matchesStars(entry.rule, ref));
}

/** Whether a whole rule may differ, so that it stays as it is even when the files do not name it. */
export function isIgnored(ignore: readonly Ignored[], ref: string): boolean {
  return ignoredOf(ignore, ref).some((entry) => entry.field === undefined);
}

/** Returns the fields in which a rule may differ, as JSON Pointers. */
export function ignoredFields(ignore: readonly Ignored[], ref: string): readonly string[] {
  return ignoredOf(ignore, ref).flatMap((entry) => entry.field ?? []);
}

/** A desired content with the live values of ignored fields. */
interface IgnoredContent extends Carried {
  /** JSON Pointers of ignored fields that are overwritten all the same, because the action changes. */
  readonly overwritten: readonly string[];
}

/**
 * Puts the live values of ignored fields into a desired content, so that later writes send them back. Parameters belong to the action and are
 * kept only while it stays; so an ignored `/action` brings its parameters along.
 */
export function keepIgnored(
  desired: RuleContent,
  live: RuleContent,
  entries: readonly Pick<Ignored, 'field'>[],
): IgnoredContent {
  const fields = entries.flatMap((entry) => entry.field ?? []);
  const isWhole = entries.some((entry) => entry.field === undefined);
  const content = isWhole ? live : keepFields(desired, live, fields);
  const differing = fieldChanges(canonicalContent(content), canonicalContent(desired));
  return {
    content,
    paths: differing.map((field) => field.path),
    overwritten: content.action === live.action ? [] : overwrittenFields(content, live, fields),
  };
}

function overwrittenFields(content: RuleContent, live: RuleContent, fields: readonly string[]): string[] {
  const before = keyOverrides(canonicalContent(live));
  const after = keyOverrides(canonicalContent(content));
  return fields.filter(
    (field) => OF_ACTION.test(field) && !jsonEqual(valueAt(before, field), valueAt(after, field)),
  );
}

/** What belongs to the action of a rule. */
const OF_ACTION = /^\/(action_parameters|logging)(\/|$)/;

/** Returns a scope without the ignore entries whose last day has passed. `today` is `YYYY-MM-DD`. */
export function withoutExpired(scope: DesiredScope, today: string): DesiredScope {
  return {
    ...scope,
    rulesets: scope.rulesets.map(({ ignore, ...ruleset }) => {
      const active = (ignore ?? []).filter((entry) => today <= entry.until);
      return active.length === 0 ? ruleset : { ...ruleset, ignore: active };
    }),
  };
}

/** Puts the live values of fields into a desired content; see `keepIgnored`. */
export function keepFields(desired: RuleContent, live: RuleContent, fields: readonly string[]): RuleContent {
  const from = keyOverrides(contentToWire(live));
  const withAction =
    fields.includes('/action') && desired.action !== live.action
      ? ['/action', '/action_parameters', '/logging'].reduce<JsonObject>(
          (wire, field) => take(wire, from, pointerParts(field)),
          keyOverrides(contentToWire(desired)),
        )
      : keyOverrides(contentToWire(desired));
  const sameAction = withAction['action'] === live.action;
  const kept = fields
    .filter((field) => sameAction || !OF_ACTION.test(field))
    .reduce((wire, field) => takeField(wire, from, field), withAction);
  return contentFromWire(unkeyOverrides(kept));
}

/** Objects of which the service refuses a part: they need members together (api.md 5). */
const INDIVISIBLE =
  /^(?:\/action_parameters\/(?:response|edge_ttl|browser_ttl|from_value|from_list|matched_data|headers\/[^/]+)|\/ratelimit|\/exposed_credential_check)(?=\/)/;

/**
 * Returns `into` with the value of a field that `from` has. Where only one of them has the indivisible object around the field, the whole object is
 * that of `from`.
 */
function takeField(into: JsonObject, from: JsonObject, field: string): JsonObject {
  const isAtOne = (pointer: string): boolean =>
    (valueAt(into, pointer) === undefined) !== (valueAt(from, pointer) === undefined);
  const whole = INDIVISIBLE.exec(field)?.[0];
  if (whole !== undefined && isAtOne(whole)) {
    return take(into, from, pointerParts(whole));
  }
  const isNowhere = valueAt(into, field) === undefined && valueAt(from, field) === undefined;
  return isNowhere ? into : take(into, from, pointerParts(field));
}

/** Returns `into` with the value that `from` has at a path; without the member if `from` has none. */
function take(into: JsonObject, from: JsonObject, path: readonly string[]): JsonObject {
  const [key, ...rest] = path;
  if (key === undefined) {
    return into;
  }
  const source = Object.hasOwn(from, key) ? from[key] : undefined;
  const target = Object.hasOwn(into, key) ? into[key] : undefined;
  if (rest.length === 0) {
    return source === undefined ? omit(into, [key]) : { ...into, [key]: source };
  }
  if (isJsonArray(source) || isJsonArray(target)) {
    // List items have no stable names, so a pointer into a list means nothing here.
    return into;
  }
  const inner = take(objectOf(target), objectOf(source), rest);
  return Object.keys(inner).length === 0 && source === undefined
    ? omit(into, [key])
    : { ...into, [key]: inner };
}

/** Turns keyed rule overrides back into the list of the wire form (inverse of `keyOverrides`). */
function unkeyOverrides(content: JsonObject): JsonObject {
  const path = '/action_parameters/overrides';
  const rules = valueAt(content, `${path}/rules`);
  const overrides = valueAt(content, path);
  const parameters = content['action_parameters'];
  if (!isJsonObject(rules) || !isJsonObject(overrides) || !isJsonObject(parameters)) {
    return content;
  }
  const list = Object.entries(rules).map(([id, entry]): JsonValue =>
    isJsonObject(entry) ? { id, ...entry } : entry,
  );
  return { ...content, action_parameters: { ...parameters, overrides: { ...overrides, rules: list } } };
}
