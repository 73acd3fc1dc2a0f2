/** Characters that JSON has to escape, and lone surrogates. */
const UNPLAIN = /[^\u0020\u0021\u0023-\u005b\u005d-\ud7ff\ue000-\uffff]/;
/** Up to this length, checking each character is faster than starting a regular expression. */
const SHORT = 40;

/** Serialises a text as `JSON.stringify` does; for texts without escapes, checking is cheaper than calling it. */
function jsonString(text: string): string {
  return isPlain(text) ? `"${text}"` : JSON.stringify(text);
}

/** Whether a text needs no escaping in JSON. */
function isPlain(text: string): boolean {
  if (text.length > SHORT) {
    return !UNPLAIN.test(text);
  }
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd8_00 && code <= 0xdf_ff)) {
      return false;
    }
  }
  return true;
}

/** The keys of an object in code-unit order, and the text that precedes each value in JSON, including the brace or comma. */
export interface KeyOrder {
  readonly keys: readonly string[];
  readonly sorted: readonly string[];
  /** Whether `keys` are sorted already. */
  readonly isSorted: boolean;
  readonly heads: readonly string[];
}

/** Limits of the cache: objects with more keys, or more distinct key lists of one length, are rare. */
const MAX_KEYS = 24;
const MAX_KINDS = 16;
const known: readonly KeyOrder[][] = Array.from({ length: MAX_KEYS + 1 }, () => []);

/** Returns the order of some keys, cached per key list, since the same few key lists recur again and again. */
function keyOrder(keys: readonly string[]): KeyOrder {
  const kinds = known[keys.length];
  if (kinds === undefined) {
    return workOut(keys);
  }
  for (const kind of kinds) {
    if (isSame(kind.keys, keys)) {
      return kind;
    }
  }
  const made = workOut(keys);
  if (kinds.length >= MAX_KINDS) {
    // Objects keyed by ids never recur, so they must not fill the cache for good.
    kinds.length = 0;
  }
  kinds.push(made);
  return made;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  for (let index = 0; index < one.length; index += 1) {
    if (one[index] !== other[index]) {
      return false;
    }
  }
  return true;
}

function workOut(keys: readonly string[]): KeyOrder {
  const sorted = [...keys].sort();
  const isSorted = isSame(keys, sorted);
  return {
    keys,
    sorted,
    isSorted,
    heads: sorted.map((key, index) => `${index === 0 ? '{' : ','}${jsonString(key)}:`),
  };
}

/** A JSON scalar. */
type JsonScalar = string | number | boolean | null;

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

/** Returns the value if it is an object, else an empty object. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Returns the value if it is a list, else an empty list. */
export function listOf(value: unknown): readonly JsonValue[] {
  return isJsonArray(value) ? value : [];
}

/** Returns the value if it is text, else an empty text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The objects among the items of a list; none where the value is no list. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return listOf(value).filter((item) => isJsonObject(item));
}

/** The texts among the items of a list; none where the value is no list. */
export function textsIn(value: unknown): readonly string[] {
  return listOf(value).filter((item) => typeof item === 'string');
}

/** Parses a JSON text; undefined if it is not valid JSON. */
export function parsedJson(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Converts a value to plain JSON, dropping what `JSON.stringify` leaves out. */
export function plainJson(value: unknown): JsonValue {
  const plain: JsonValue = JSON.parse(JSON.stringify(value) ?? 'null');
  return plain;
}

/**
 * Serialises a JSON value with keys in code-unit order, so that equal values have equal texts; leaves out what `JSON.stringify` leaves out. Key
 * order carries no meaning in the service's answers (api.md 1.2).
 */
export function canonicalJson(value: unknown): string {
  return append('', value);
}

/** Appends to a single growing text: building and joining partial texts costs twice as much. */
function append(before: string, value: unknown): string {
  if (typeof value === 'string') {
    return before + jsonString(value);
  }
  let text = before;
  if (isJsonArray(value)) {
    if (value.every(isText)) {
      // Mostly the ids of a rule order: V8 serialises them faster as a whole.
      return before + JSON.stringify(value);
    }
    let mark = '[';
    for (const item of value) {
      text = append(text + mark, item);
      mark = ',';
    }
    return `${text}]`;
  }
  return isJsonObject(value) ? appendMembers(text, value) : text + JSON.stringify(value ?? null);
}

function isText(value: JsonValue): value is string {
  return typeof value === 'string';
}

function appendMembers(before: string, object: JsonObject): string {
  const keys = Object.keys(object);
  const { sorted, heads } = keyOrder(keys);
  let text = before;
  for (let index = 0; index < sorted.length; index += 1) {
    const member = object[sorted[index] ?? ''];
    if (member === undefined) {
      const present = keys.filter((key) => object[key] !== undefined);
      return appendMembers(before, Object.fromEntries(present.map((key) => [key, object[key] ?? null])));
    }
    text =
      typeof member === 'string' && isPlain(member)
        ? `${text}${heads[index] ?? ''}"${member}"`
        : append(text + (heads[index] ?? ''), member);
  }
  return `${text}${sorted.length === 0 ? '{}' : '}'}`;
}

/**
 * Returns the value with all keys in code-unit order (possibly the same object), so that `JSON.stringify` gives what `canonicalJson` gives,
 * except that integer keys always come first and ascending.
 */
export function inKeyOrder(value: JsonValue): JsonValue {
  if (isJsonArray(value)) {
    return value.map(inKeyOrder);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const { sorted, isSorted } = keyOrder(Object.keys(value));
  return isSorted && sorted.every((key) => typeof value[key] !== 'object')
    ? value
    : Object.fromEntries(
        sorted.flatMap((key) => {
          const member = value[key];
          return member === undefined ? [] : [[key, inKeyOrder(member)]];
        }),
      );
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

/** Applies `change` to every text in an object, except keys. */
export function mapTexts(object: JsonObject, change: (text: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, member]) => [key, mapTextsIn(member, change)]));
}

/** Applies `change` to every text in a value, except keys. */
export function mapTextsIn(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') {
    return change(value);
  }
  if (isJsonArray(value)) {
    return value.map((item) => mapTextsIn(item, change));
  }
  return isJsonObject(value) ? mapTexts(value, change) : value;
}

/** Applies `change` to every text in a value, keys too. */
export function mapTextsAndKeys(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') {
    return change(value);
  }
  if (isJsonArray(value)) {
    return value.map((item) => mapTextsAndKeys(item, change));
  }
  return isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([key, member]) => [change(key), mapTextsAndKeys(member, change)]),
      )
    : value;
}

/**
 * Whether a parsed JSON value is nested deeper than `limit` levels; a scalar has no level. Recursion stops one level below the limit, which
 * bounds the stack.
 */
export function isNestedDeeper(value: unknown, limit: number): boolean {
  if (isJsonArray(value)) {
    return limit === 0 || value.some((item) => typeof item === 'object' && isNestedDeeper(item, limit - 1));
  }
  if (!isJsonObject(value)) {
    return false;
  }
  if (limit === 0) {
    return true;
  }
  // Every answer of the service comes through here: `Object.values` would cost five times as much, and a call for each text twice.
  for (const name in value) {
    const member = value[name];
    if (typeof member === 'object' && isNestedDeeper(member, limit - 1)) {
      return true;
    }
  }
  return false;
}

/** Returns the unescaped keys and indices of a JSON Pointer (RFC 6901). */
export function pointerParts(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Appends a key to a JSON Pointer. */
export function memberPointer(pointer: string, key: string): string {
  return `${pointer}/${/[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key}`;
}
