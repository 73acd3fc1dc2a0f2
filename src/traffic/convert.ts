import { parseIpAddress } from '../data/index.ts';
import { encodeBytes } from '../expression/index.ts';
import type { Value } from '../expression/index.ts';

/** Turns a value of a log into one of the rules language; undefined where it says nothing. */
export type Convert = (value: unknown) => Value | undefined;

export const text: Convert = (value) => (typeof value === 'string' ? encodeBytes(value) : undefined);

/** A text that is empty where the log does not know it. */
export const knownText: Convert = (value) => (value === '' ? undefined : text(value));

/** A code such as that of a country: logs have it in any case, rules in capitals. */
export const code: Convert = (value) =>
  typeof value === 'string' && value !== '' ? encodeBytes(value.toUpperCase()) : undefined;

export const int: Convert = (value) => {
  const number = typeof value === 'string' && /^-?\d{1,15}$/u.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
};

/** A score for which 0 means that none was computed. */
export const score: Convert = (value) => {
  const number = int(value);
  return number === 0 ? undefined : number;
};

export const address: Convert = (value) => (typeof value === 'string' ? parseIpAddress(value) : undefined);

export const texts: Convert = (value) => listOfAll(value, text);

export const ints: Convert = (value) => listOfAll(value, int);

function listOfAll(value: unknown, convert: Convert): Value | undefined {
  if (!Array.isArray(value)) {
    return undefined;
  }
  const items = value.map((item: unknown) => convert(item)).filter((item) => item !== undefined);
  return items.length === value.length ? items : undefined;
}

/** Returns a conversion of words by a table. */
export function word(table: Readonly<Record<string, Value>>): Convert {
  const values = new Map(Object.entries(table));
  return (value) => (typeof value === 'string' ? values.get(value.toLowerCase()) : undefined);
}

/** The versions of HTTP as the rules language has them. */
export const version: Convert = (value) => {
  const [, number = ''] =
    typeof value === 'string' ? (/^(?:HTTP\/|h)(\d(?:\.\d)?)$/iu.exec(value) ?? []) : [];
  return number === '' ? undefined : `HTTP/${number.replace(/^([23])\.0$/u, '$1')}`;
};
