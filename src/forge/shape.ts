/** Returns the value at a path of untrusted JSON; undefined when there is none. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found: unknown = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) {
      return undefined;
    }
    found = Reflect.get(found, key);
  }
  return found;
}

/** Returns the text at a path; null when there is none. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | null {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : null;
}

/** Returns the safe integer at a path; null when there is none. */
export function numberAt(value: unknown, ...path: readonly (string | number)[]): number | null {
  const found = at(value, ...path);
  return typeof found === 'number' && Number.isSafeInteger(found) ? found : null;
}

/** Returns the list at a path; an empty one when there is none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}
