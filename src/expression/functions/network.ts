import { networkRange } from '../values/ip-set-item.ts';
import { isIp } from '../values/value.ts';
import type { Value } from '../values/value.ts';
import { plain } from './function.ts';
import type { FunctionBuilder } from './function.ts';

/** Returns the network address of an address, with one prefix length for IPv4 and one for IPv6. */
export const cidr: FunctionBuilder = plain(([address, bits4, bits6]) =>
  networkAddress(address, { 4: bits4, 6: bits6 }),
);

/** Returns the network address of an IPv6 address, and an IPv4 address unchanged. */
export const cidr6: FunctionBuilder = plain(([address, bits]) => networkAddress(address, { 4: 32, 6: bits }));

/**
 * Returns the number made of the bits from one offset to before another, counted from the highest bit of the first byte; missing when the
 * data is shorter.
 */
export const bitSlice: FunctionBuilder = plain(([bytes, start, end]) => {
  if (typeof bytes !== 'string' || typeof start !== 'number' || typeof end !== 'number') {
    return undefined;
  }
  if (start < 0 || end < start || end > bytes.length * 8) {
    return undefined;
  }
  let value = 0;
  for (let bit = start; bit < end; bit += 1) {
    value = value * 2 + ((bytes.charCodeAt(bit >> 3) >> (7 - (bit & 7))) & 1);
  }
  return value;
});

function networkAddress(
  address: Value | undefined,
  bits: Readonly<Record<4 | 6, Value | undefined>>,
): Value | undefined {
  if (!isIp(address)) {
    return undefined;
  }
  const length = bits[address.family];
  return typeof length === 'number'
    ? { family: address.family, value: networkRange(address, length).first }
    : undefined;
}
