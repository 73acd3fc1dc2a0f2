import type { JsonValue } from '../model/json.ts';
import { isJsonArray, isJsonObject } from '../model/json.ts';

/** Text that reads the same with and without quotes inside a list or an object. */
const PLAIN = /^\w[\w.:/@*-]*$/;

/** Text that without quotes would read as something else than text. */
const MISLEADING = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/i;

/** A value that stands alone: text as it is, in quotes only where these say something. */
export function loneValue(value: JsonValue): string {
  return typeof value === 'string' && value !== '' && value.trim() === value && !MISLEADING.test(value)
    ? value
    : inlineValue(value);
}

/** A JSON value on one line, as a person would write it in YAML flow style. */
export function inlineValue(value: JsonValue): string {
  if (typeof value === 'string') {
    return PLAIN.test(value) && !MISLEADING.test(value) ? value : JSON.stringify(value);
  }
  if (isJsonArray(value)) {
    return `[${value.map(inlineValue).join(', ')}]`;
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(
      ([key, member]) => `${inlineValue(key)}: ${inlineValue(member)}`,
    );
    return `{${members.join(', ')}}`;
  }
  return String(value);
}

/** A scalar, a list or an empty object somewhere inside a value, with the way to it. */
export interface Leaf {
  readonly path: readonly string[];
  readonly value: JsonValue;
}

/** What stands inside a value, down to scalars and lists; the value itself when it is one of these. */
export function leavesOf(value: JsonValue, path: readonly string[] = []): readonly Leaf[] {
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...path, key]));
  }
  return [{ path, value }];
}
