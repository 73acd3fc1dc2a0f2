import { decodeBytes, encodeBytes } from '../values/bytes.ts';
import { isInt, parseInt64 } from '../values/value.ts';
import type { Value } from '../values/value.ts';
import { plain } from './function.ts';
import type { Arguments, FunctionBuilder } from './function.ts';

// What strings begin and end with, what is escaped in them, and numbers. A pattern for whole strings would fail on very long ones.
const TOKENS = /"|\\.|-?[0-9][0-9.eE+-]*/gsu;

/** The integer that keys lead to in a JSON document; nothing when there is none, and `42.0` is none. */
export const lookupJsonInteger: FunctionBuilder = plain((args) => {
  const found = lookup(args);
  return found?.startsWith('n') === true ? parseInt64(found.slice(1)) : undefined;
});

/** The string that keys lead to in a JSON document; nothing when there is none. */
export const lookupJsonString: FunctionBuilder = plain((args) => {
  const found = lookup(args);
  return found?.startsWith('s') === true && !/\p{Surrogate}/u.test(found)
    ? encodeBytes(found.slice(1))
    : undefined;
});

/**
 * The scalar that the keys lead to, as its kind and its text: `s` and the characters of a string, `n` and the digits of a number as
 * they were written.
 */
function lookup([document, ...keys]: Arguments): string | undefined {
  const text = typeof document === 'string' ? decodeBytes(document) : undefined;
  if (text === undefined || keys.includes(undefined)) {
    return undefined;
  }
  const found = keys.reduce<unknown>(step, parseTagged(text));
  return typeof found === 'string' ? found : undefined;
}

/** The document with every string and number, keys too, as a string that begins with its kind; undefined when it is no JSON. */
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
