import type { JsonValue } from '../../model/json.ts';
import { isJsonArray, isJsonObject } from '../../model/json.ts';
import type { ValuePath } from './yaml-document.ts';

/** Returns a value with another one at a path in it. Everything on the way has to exist; the last key of a mapping may be new. */
export function withValueAt(value: JsonValue, [part, ...rest]: ValuePath, wanted: JsonValue): JsonValue {
  if (part === undefined) {
    return wanted;
  }
  if (isJsonArray(value)) {
    return value.map((item, index) => (index === Number(part) ? withValueAt(item, rest, wanted) : item));
  }
  return isJsonObject(value) ? { ...value, [part]: withValueAt(value[part] ?? null, rest, wanted) } : value;
}

/** Returns the value at a path; undefined where the path leads nowhere. */
export function valueAt(value: JsonValue, path: ValuePath): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (const part of path) {
    current = isJsonArray(current)
      ? current[Number(part)]
      : isJsonObject(current)
        ? current[part]
        : undefined;
  }
  return current;
}
