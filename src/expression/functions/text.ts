import { formatIpAddress } from '../values/ip.ts';
import { isInt, isIp } from '../values/value.ts';
import { ofTwoBytes, plain } from './function.ts';
import type { FunctionBuilder } from './function.ts';

/** Returns an integer in decimal, `true` or `false`, or the canonical text of an address. */
export const toText: FunctionBuilder = plain(([value]) => {
  if (isIp(value)) {
    return formatIpAddress(value);
  }
  return isInt(value) || typeof value === 'boolean' ? String(value) : undefined;
});

/**
 * Returns the bytes from `start` to before `end`, negative positions counted from the end. Out-of-range positions are not documented; here
 * they are moved to the nearest end.
 */
export const substring: FunctionBuilder = plain((args) => {
  const [bytes, start, end] = args;
  if (typeof bytes !== 'string' || !isInt(start) || (args.length > 2 && !isInt(end))) {
    return undefined;
  }
  return bytes.slice(Number(start), isInt(end) ? Number(end) : bytes.length);
});

/** Removes every byte that occurs in the second argument. */
export const removeBytes: FunctionBuilder = ofTwoBytes((bytes, removed) =>
  Array.from(bytes)
    .filter((byte) => !removed.includes(byte))
    .join(''),
);

/** Drops the parameters of the given names from a query string; the order of the rest is kept. */
export const removeQueryArgs: FunctionBuilder = plain(([query, ...names]) => {
  if (typeof query !== 'string') {
    return undefined;
  }
  return query
    .split('&')
    .filter((parameter) => !names.includes(parameter.split('=', 1)[0]))
    .join('&');
});
