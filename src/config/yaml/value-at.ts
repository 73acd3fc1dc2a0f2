import type { JsonValue } from '../../model/json.ts';
import { isJsonArray, isJsonObject } from '../../model/json.ts';
import type { ValuePath } from './yaml-document.ts';

/** A value with another one at a path in it. What is on the way has to be there; the last key of a mapping may be new. */
export function withValueAt(value: JsonValue, [part, ...rest]: ValuePath, wanted: JsonValue): JsonValue {
  if (part === undefined) {
    return wanted;
  }
  if (isJsonArray(value)) {
    return value.map((item, index) => (index === Number(part) ? withValueAt(item, rest, wanted) : item));
  }
  return isJsonObject(value) ? { ...value, [part]: withValueAt(value[part] ?? null, rest, wanted) } : value;
}
