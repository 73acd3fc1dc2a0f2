import { isList, isMap, sameScalar, isInt, parseInt64 } from '../values/value.ts';
import type { Value } from '../values/value.ts';
import { decodeBytes, encodeBytes } from '../values/bytes.ts';
import { plain } from './function.ts';
import type { FunctionBuilder, Arguments } from './function.ts';

/** Returns the first argument that is not missing. */
export const coalesce: FunctionBuilder = plain((args) => args.find((value) => value !== undefined));

/** Joins byte strings or arrays; missing arguments are skipped, and the result is missing only when all are. */
export const concat: FunctionBuilder = plain((args) => {
  const present = args.filter((value) => value !== undefined);
  if (present.length === 0) {
    return undefined;
  }
  return isList(present[0])
    ? present.flatMap((value) => (isList(value) ? value : []))
    : present.filter((value) => typeof value === 'string').join('');
});

/** Returns the length of a byte string in bytes, or the number of elements of an array. */
export const len: FunctionBuilder = plain(([value]) =>
  typeof value === 'string' || isList(value) ? value.length : undefined,
);

/** Whether a map has a key. */
export const hasKey: FunctionBuilder = plain(([map, key]) =>
  isMap(map) && typeof key === 'string' ? map.has(key) : undefined,
);

/** Whether a value is among the elements of an array or the values of a map. */
export const hasValue: FunctionBuilder = plain(([collection, wanted]) => {
  if (wanted === undefined) {
    return undefined;
  }
  const elements: Iterable<Value> | undefined = isMap(collection)
    ? collection.values()
    : isList(collection)
      ? collection
      : undefined;
  return elements === undefined ? undefined : [...elements].some((element) => sameScalar(element, wanted));
});

/** Joins the items of an array with a separator between them. */
export const join: FunctionBuilder = plain(([items, separator]) =>
  isList(items) && typeof separator === 'string'
    ? items.filter((item) => typeof item === 'string').join(separator)
    : undefined,
);

/** Splits at each separator into at most `limit` parts; the last keeps the rest. */
export const split: FunctionBuilder = plain(([text, separator, limit]) => {
  if (typeof text !== 'string' || typeof separator !== 'string' || typeof limit !== 'number') {
    return undefined;
  }
  const parts = text.split(separator);
  return parts.length <= limit
    ? parts
    : [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
});

// The quotes of strings, escapes, and numbers. A pattern for whole strings would fail on very long ones.
const TOKENS = /"|\\.|-?[0-9][0-9.eE+-]*/gsu;

/** Returns the integer that keys lead to in a JSON document; missing when there is none. `42.0` is not an integer. */
export const lookupJsonInteger: FunctionBuilder = plain((args) => {
  const found = lookup(args);
  return found?.startsWith('n') === true ? parseInt64(found.slice(1)) : undefined;
});

/** Returns the string that keys lead to in a JSON document; missing when there is none. */
export const lookupJsonString: FunctionBuilder = plain((args) => {
  const found = lookup(args);
  return found?.startsWith('s') === true && !/\p{Surrogate}/u.test(found)
    ? encodeBytes(found.slice(1))
    : undefined;
});

/**
 * Returns the scalar that the keys lead to, as a letter for its kind and its text: `s` and the characters of a string, `n` and the digits
 * of a number as written.
 */
function lookup([document, ...keys]: Arguments): string | undefined {
  const text = typeof document === 'string' ? decodeBytes(document) : undefined;
  if (text === undefined || keys.includes(undefined)) {
    return undefined;
  }
  const found = keys.reduce<unknown>(step, parseTagged(text));
  return typeof found === 'string' ? found : undefined;
}

/**
 * Parses a document with every string (keys too) and number turned into a string that begins with the letter for its kind; undefined when
 * the text is not JSON.
 */
function parseTagged(text: string): unknown {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  let inString = false;
  const tagged = text.replaceAll(TOKENS, (token) => {
    if (token === '"') {
      inString = !inString;
      return inString ? '"s' : '"';
    }
    return inString ? token : `"n${token}"`;
  });
  const document: unknown = JSON.parse(tagged);
  return document;
}

function step(node: unknown, key: Value | undefined): unknown {
  if (Array.isArray(node)) {
    const items: readonly unknown[] = node;
    return isInt(key) ? items[Number(key)] : undefined;
  }
  const name = typeof key === 'string' ? decodeBytes(key) : undefined;
  return typeof node === 'object' && node !== null && name !== undefined
    ? new Map<string, unknown>(Object.entries(node)).get(`s${name}`)
    : undefined;
}
