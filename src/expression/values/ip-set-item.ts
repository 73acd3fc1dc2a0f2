import { ADDRESS_BITS, INVALID_ADDRESS, parseIpAddress } from '../../data/index.ts';
import type { IpAddress, IpRange } from '../../data/index.ts';

/** Why a set item is refused: the service's kind and message, and the part of the item that the service points at. */
interface IpSetItemError {
  readonly kind: 'ParseNetwork' | 'IncompatibleRangeBounds';
  readonly message: string;
  /** Offset of the first character in question. */
  readonly start: number;
  /** Offset after the last character in question. */
  readonly end: number;
}

/** The range that the item covers, or the error. */
export type IpSetItemResult =
  | { readonly ok: true; readonly range: IpRange }
  | { readonly ok: false; readonly error: IpSetItemError };

/**
 * Reads one item of an IP set: an address, a network or an explicit range. `chunk` is the longest run of address characters. Addresses of
 * networks are read loosely (leading zeros, short IPv4 filled with zeros), bounds of ranges strictly (rules-language.md 1.3 and 3).
 */
export function parseIpSetItem(chunk: string): IpSetItemResult {
  const dots = chunk.indexOf('..');
  return dots === -1 ? parseNetwork(chunk) : parseRange(chunk, dots);
}

/** Returns the range that a network covers, whatever the host bits of the address are. */
export function networkRange(address: IpAddress, bits: number): IpRange {
  if (bits === ADDRESS_BITS[address.family]) {
    return { family: address.family, first: address.value, last: address.value };
  }
  if (address.family === 4) {
    // Plain numbers hold IPv4 addresses exactly, at a tenth of the cost of bigints.
    const size = 2 ** (ADDRESS_BITS[4] - bits);
    const value = Number(address.value);
    const first = value - (value % size);
    return { family: 4, first: BigInt(first), last: BigInt(first + size - 1) };
  }
  const hostBits = BigInt(ADDRESS_BITS[address.family] - bits);
  const first = (address.value >> hostBits) << hostBits;
  return { family: address.family, first, last: first | ((1n << hostBits) - 1n) };
}

function parseRange(chunk: string, dots: number): IpSetItemResult {
  const first = parseIpAddress(chunk.slice(0, dots));
  if (first === undefined) {
    return refuse('ParseNetwork', INVALID_ADDRESS, [0, dots]);
  }
  const last = parseIpAddress(chunk.slice(dots + 2));
  if (last === undefined) {
    return refuse('ParseNetwork', INVALID_ADDRESS, [dots + 2, chunk.length]);
  }
  if (first.family !== last.family || first.value > last.value) {
    return refuse('IncompatibleRangeBounds', 'incompatible range bounds', [0, chunk.length]);
  }
  return { ok: true, range: { family: first.family, first: first.value, last: last.value } };
}

function parseNetwork(chunk: string): IpSetItemResult {
  const slash = chunk.lastIndexOf('/');
  const address = parseLooseAddress(slash === -1 ? chunk : chunk.slice(0, slash));
  if (address === undefined) {
    return refuse('ParseNetwork', INVALID_ADDRESS, [0, addressEnd(chunk)]);
  }
  const full = ADDRESS_BITS[address.family];
  if (slash === -1) {
    return { ok: true, range: networkRange(address, full) };
  }
  const bits = parseLength(chunk.slice(slash + 1));
  if (typeof bits === 'string') {
    return refuse('ParseNetwork', `couldn't parse length in network: ${bits}`, [slash + 1, chunk.length]);
  }
  if (bits > full) {
    const message = `invalid length for network: Network length ${bits} is too long for Ipv${address.family} (maximum: ${full})`;
    return refuse('ParseNetwork', message, [0, chunk.length]);
  }
  const range = networkRange(address, bits);
  if (range.first !== address.value) {
    return refuse('ParseNetwork', 'host part of address was not zero', [0, addressEnd(chunk)]);
  }
  return { ok: true, range };
}

function addressEnd(chunk: string): number {
  return chunk.includes('/') ? chunk.indexOf('/') : chunk.length;
}

function parseLooseAddress(text: string): IpAddress | undefined {
  const strict = parseIpAddress(text);
  if (strict !== undefined) {
    return strict;
  }
  const parts = text.split('.');
  if (parts.length > 4) {
    return undefined;
  }
  let value = 0;
  for (const part of [...parts, '0', '0', '0'].slice(0, 4)) {
    const octet = /^[0-9]+$/u.test(part) ? Number(part) : 256;
    if (octet > 255) {
      return undefined;
    }
    value = value * 256 + octet;
  }
  return { family: 4, value: BigInt(value) };
}

/**
 * Reads the length of a network, a number up to 255; otherwise returns the service's message. It goes from left to right and reports what
 * comes first, a wrong digit or an overflow.
 */
function parseLength(text: string): number | string {
  if (text === '') {
    return 'cannot parse integer from empty string';
  }
  const [digits = ''] = /^[0-9]*/u.exec(text) ?? [];
  if (Number(digits) > 255) {
    return 'number too large to fit in target type';
  }
  return digits === text ? Number(digits) : 'invalid digit found in string';
}

function refuse(
  kind: IpSetItemError['kind'],
  message: string,
  [start, end]: readonly [number, number],
): IpSetItemResult {
  return { ok: false, error: { kind, message, start, end } };
}
