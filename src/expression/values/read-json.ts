import { isCollection, typeName } from './type.ts';
import type { Type } from './type.ts';
import { bytesToString, decodeBytes, encodeBytes } from './bytes.ts';
import { formatIpAddress, parseIpAddress } from '../../data/index.ts';
import { isInt, isIp, isList, isMap, mapOfEntries, parseInt64 } from './value.ts';
import type { Value, Values } from './value.ts';

/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The values, or everything that is wrong with them, each with the path of its field. */
export type ReadValuesResult =
  | { readonly ok: true; readonly values: Values }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Reads values of fields from JSON by the types of a scheme: Bytes from a text (taken as UTF-8) or an array of bytes, Ip from its
 * text, Int from a number or, beyond 2^53, from a decimal text. Null and absent are missing. Fields outside the scheme are problems.
 */
export function readValues(json: unknown, scheme: ReadonlyMap<string, Type>): ReadValuesResult {
  if (!isObject(json)) {
    return { ok: false, problems: ['values: expected an object of fields'] };
  }
  const problems: string[] = [];
  const values = new Map<string, Value>();
  for (const [name, given] of Object.entries(json)) {
    const type = scheme.get(name);
    if (type === undefined) {
      problems.push(`${name}: not a field of the scheme`);
    } else if (given !== null && given !== undefined) {
      const value = readValue(given, { type, path: name, problems });
      if (value !== undefined) {
        values.set(name, value);
      }
    }
  }
  return problems.length === 0 ? { ok: true, values } : { ok: false, problems };
}

/**
 * Returns a value as JSON: Bytes as text when they are UTF-8 and as an array of bytes otherwise, Ip as text, Int as a number or, beyond
 * 2^53, as a decimal text; null for a missing value.
 */
export function valueToJson(value: Value | undefined): Json {
  if (value === undefined) {
    return null;
  }
  if (typeof value === 'string') {
    return decodeBytes(value) ?? Array.from(value, (byte) => byte.charCodeAt(0));
  }
  if (isInt(value)) {
    return typeof value === 'bigint' ? String(value) : value;
  }
  if (isIp(value)) {
    return formatIpAddress(value);
  }
  if (isList(value)) {
    return value.map(valueToJson);
  }
  if (isMap(value)) {
    return Object.fromEntries([...value].map(([key, item]) => [decodeBytes(key) ?? key, valueToJson(item)]));
  }
  return value;
}

interface TypedJsonPath {
  readonly type: Type;
  readonly path: string;
  readonly problems: string[];
}

function readValue(given: unknown, place: TypedJsonPath): Value | undefined {
  const { type, path, problems } = place;
  const value = isCollection(type)
    ? readCollection(given, { ...place, type: type.of }, type.kind)
    : READERS[type.kind](given);
  if (value === undefined) {
    problems.push(`${path}: expected a value of type ${typeName(type)}`);
  }
  return value;
}

const READERS: Readonly<Record<'Bool' | 'Int' | 'Bytes' | 'Ip', (given: unknown) => Value | undefined>> = {
  Bool: (given) => (typeof given === 'boolean' ? given : undefined),
  Int: (given) => {
    if (typeof given === 'string') {
      return parseInt64(given);
    }
    return typeof given === 'number' && Number.isSafeInteger(given) ? given : undefined;
  },
  Bytes: (given) => {
    if (typeof given === 'string') {
      return encodeBytes(given);
    }
    return isByteList(given) ? bytesToString(Uint8Array.from(given)) : undefined;
  },
  Ip: (given) => (typeof given === 'string' ? parseIpAddress(given) : undefined),
};

/** Reads an array or a map. `element` is the place of one element; problems of elements are recorded under their own paths. */
function readCollection(given: unknown, element: TypedJsonPath, kind: 'Array' | 'Map'): Value | undefined {
  if (kind === 'Array') {
    if (!Array.isArray(given)) {
      return undefined;
    }
    const items: readonly unknown[] = given;
    return items
      .map((item, index) => readValue(item, { ...element, path: `${element.path}[${index}]` }))
      .filter((item) => item !== undefined);
  }
  if (!isObject(given)) {
    return undefined;
  }
  const entries: [string, Value][] = [];
  for (const [key, item] of Object.entries(given)) {
    const value = readValue(item, { ...element, path: `${element.path}[${JSON.stringify(key)}]` });
    if (value !== undefined) {
      entries.push([encodeBytes(key), value]);
    }
  }
  return mapOfEntries(entries);
}

/** Whether a value of JSON is an object. */
export function isObject(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

function isByteList(given: unknown): given is readonly number[] {
  return Array.isArray(given) && given.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);
}
