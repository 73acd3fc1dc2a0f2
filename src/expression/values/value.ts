import type { IpAddress } from '../../data/index.ts';

/**
 * An integer of the rules language, signed 64 bit: a number while it is a safe integer, a bigint beyond, so that equal integers are
 * equal by `===` and order by `<` is right for either.
 */
export type Int = number | bigint;

/**
 * A value of a field or of an expression: Bool, Int, Bytes as a binary string (one char for each byte), Ip, Array, or Map with binary
 * strings for keys, in the order of the keys' bytes (rules-language.md 2.4). A missing value (nil) is undefined.
 */
export type Value = boolean | Int | string | IpAddress | readonly Value[] | ReadonlyMap<string, Value>;

/** The values of fields by name; what is absent is missing (nil). */
export type Values = ReadonlyMap<string, Value>;

/** The least integer. */
export const LEAST_INT = -(2n ** 63n);
/** The largest integer. */
export const LARGEST_INT = 2n ** 63n - 1n;

/** Returns an integer in its only form: a number when safe, else a bigint. */
export function toInt(value: bigint): Int {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Reads a decimal integer with an optional minus; undefined for any other text, and for a number beyond 64 bits. */
export function parseInt64(text: string): Int | undefined {
  if (!/^-?[0-9]{1,20}$/u.test(text)) {
    return undefined;
  }
  const value = BigInt(text);
  return value < LEAST_INT || value > LARGEST_INT ? undefined : toInt(value);
}

/** Whether a value is an integer. */
export function isInt(value: Value | undefined): value is Int {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Whether a value is an array. */
export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

/** Whether a value is a map. */
export function isMap(value: Value | undefined): value is ReadonlyMap<string, Value> {
  return value instanceof Map;
}

/** Whether a value is an address. */
export function isIp(value: Value | undefined): value is IpAddress {
  return typeof value === 'object' && 'family' in value;
}

/** A map with its keys in the order of their bytes. */
export function mapOfEntries(entries: Iterable<readonly [string, Value]>): ReadonlyMap<string, Value> {
  return new Map([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether two values of one scalar type are the same. */
export function sameScalar(left: Value, right: Value): boolean {
  if (isIp(left)) {
    return isIp(right) && left.family === right.family && left.value === right.value;
  }
  return left === right;
}
