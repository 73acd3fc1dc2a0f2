/** A JSON scalar. */
export type JsonScalar = string | number | boolean | null;

/** Any JSON value, immutable. */
export type JsonValue = JsonScalar | JsonObject | readonly JsonValue[];

/** A JSON object, immutable. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Whether a value is a JSON object (not null, not an array). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a JSON array. */
export function isJsonArray(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/**
 * The text of a JSON value with keys in code-unit order, so that equal values have equal texts; what
 * `JSON.stringify` leaves out is left out. Key order carries no meaning in the service's answers (api.md 1.2).
 */
export function canonicalJson(value: unknown): string {
  return append('', value);
}

/** Appends to one text all the way: a text for each part, joined later, costs twice as much. */
function append(before: string, value: unknown): string {
  let text = before;
  if (typeof value === 'string') {
    return text + quoted(value);
  }
  if (isJsonArray(value)) {
    let mark = '[';
    for (const item of value) {
      text = append(text + mark, item);
      mark = ',';
    }
    return `${text}${mark === '[' ? '[]' : ']'}`;
  }
  if (isJsonObject(value)) {
    let mark = '{';
    for (const key of sortedKeys(value)) {
      const member = value[key];
      if (member !== undefined) {
        text = append(text + mark + quotedKey(key), member);
        mark = ',';
      }
    }
    return `${text}${mark === '{' ? '{}' : '}'}`;
  }
  return text + JSON.stringify(value ?? null);
}

/** What JSON has to escape, and lone surrogates. */
const UNPLAIN = /[^\u0020\u0021\u0023-\u005b\u005d-\ud7ff\ue000-\uffff]/;

/** As `JSON.stringify`, which costs more than a look at the text. */
function quoted(text: string): string {
  return UNPLAIN.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** Names of members come again and again; bounded, for a few of them are made of ids. */
const MOST_KEYS = 1024;
const quotedKeys = new Map<string, string>();

function quotedKey(key: string): string {
  const known = quotedKeys.get(key);
  if (known !== undefined) {
    return known;
  }
  const made = `${quoted(key)}:`;
  if (quotedKeys.size >= MOST_KEYS) {
    quotedKeys.clear();
  }
  quotedKeys.set(key, made);
  return made;
}

/** Most objects of a plan have a few keys: putting each into its place beats a general sort. */
function sortedKeys(object: JsonObject): readonly string[] {
  const keys = Object.keys(object);
  if (keys.length > 24) {
    return keys.sort();
  }
  for (let end = 1; end < keys.length; end += 1) {
    const key = keys[end] ?? '';
    let at = end;
    for (let before = keys[at - 1]; at > 0 && before !== undefined && before > key; before = keys[at - 1]) {
      keys[at] = before;
      at -= 1;
    }
    keys[at] = key;
  }
  return keys;
}

/** Whether two JSON values are equal, whatever the order of their keys. */
export function jsonEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) {
    return true;
  }
  if (a === undefined || b === undefined) {
    return false;
  }
  if (isJsonArray(a)) {
    return isJsonArray(b) && a.length === b.length && a.every((item, index) => jsonEqual(item, b[index]));
  }
  if (isJsonObject(a) && isJsonObject(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key]))
    );
  }
  return false;
}

/** The object without the named keys. */
export function omit(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** The object with every text in it, keys aside, put through a function. */
export function mapTexts(object: JsonObject, change: (text: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, member]) => [key, mapValue(member, change)]));
}

function mapValue(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') {
    return change(value);
  }
  if (isJsonArray(value)) {
    return value.map((item) => mapValue(item, change));
  }
  return isJsonObject(value) ? mapTexts(value, change) : value;
}
