/** A JSON object as received: nothing is known about the types of its members yet. */
export type WireObject = { readonly [key: string]: unknown };

/** Whether a value is a JSON object (not a list, not null). */
export function isObject(value: unknown): value is WireObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the string under a key, or undefined when the key is absent or holds something else. */
export function textAt(object: WireObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the number under a key, or undefined. */
export function numberAt(object: WireObject, key: string): number | undefined {
  const value = object[key];
  return typeof value === 'number' ? value : undefined;
}

/** Returns the boolean under a key, or undefined. */
export function flagAt(object: WireObject, key: string): boolean | undefined {
  const value = object[key];
  return typeof value === 'boolean' ? value : undefined;
}

/** Returns the object under a key, or undefined. */
export function objectAt(object: WireObject, key: string): WireObject | undefined {
  const value = object[key];
  return isObject(value) ? value : undefined;
}

/** Returns the list under a key, or an empty list. */
export function listAt(object: WireObject, key: string): readonly unknown[] {
  const value = object[key];
  return Array.isArray(value) ? value : [];
}

/** Returns the strings in the list under a key. */
export function textsAt(object: WireObject, key: string): readonly string[] {
  return listAt(object, key).filter((item) => typeof item === 'string');
}

/** Parses a JSON text; returns undefined when the text is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Returns one step of a JSON pointer, escaped as in RFC 6901. */
export function pointerStep(key: string | number): string {
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/**
 * Returns a value without its null members, because the service's decoder takes null as absent (assumed; Go's habit).
 * Returns the value itself when nothing is null, so that a clean body is not copied.
 */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(withoutNulls);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isObject(value)) {
    return value;
  }
  const entries = Object.entries(value);
  const kept = entries
    .filter(([, member]) => member !== null)
    .map(([key, member]) => [key, withoutNulls(member)] as const);
  const same = kept.length === entries.length && kept.every(([key, member]) => member === value[key]);
  return same ? value : Object.fromEntries(kept);
}

/** Returns a value with a change: of objects, the members that the change names, at any depth; anything else is replaced. */
export function merged(before: unknown, change: unknown): unknown {
  return isObject(before) && isObject(change) ? mergedObject(before, change) : change;
}

/** As `merged`, for two objects. */
export function mergedObject(before: WireObject, change: WireObject): WireObject {
  return Object.fromEntries(
    Object.entries({ ...before, ...change }).map(([key, value]) => [
      key,
      Object.hasOwn(change, key) ? merged(before[key], change[key]) : value,
    ]),
  );
}

/** Whether a value nests more than `limit` objects and lists. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  return limit === 0 || Object.values(value).some((member) => isDeeperThan(member, limit - 1));
}
