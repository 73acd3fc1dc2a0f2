import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ipRangesContain, mergeRanges } from '../../src/expression/values/ranges.ts';
import { parseIpSetItem } from '../../src/expression/values/ip-set-item.ts';
import { formatIpAddress, parseIpAddress } from '../../src/data/index.ts';
import type { IpAddress, IpRange } from '../../src/data/index.ts';
import { propertyRuns } from '../property-runs.ts';

const SYNTAX = "couldn't parse address in network: invalid IP address syntax";

function ip(text: string): IpAddress {
  const address = parseIpAddress(text);
  if (address === undefined) {
    throw new Error(`no address: ${text}`);
  }
  return address;
}

/** An item as `first..last`, or its error as kind, message and the text it points at. */
function item(chunk: string): string | readonly string[] {
  const result = parseIpSetItem(chunk);
  if (!result.ok) {
    const { kind, message, start, end } = result.error;
    return [kind, message, chunk.slice(start, end)];
  }
  const { family, first, last } = result.range;
  const text = (value: bigint): string => formatIpAddress({ family, value });
  return first === last ? text(first) : `${text(first)}..${text(last)}`;
}

describe('addresses', () => {
  it.each([
    ['0.0.0.0', '0.0.0.0'],
    ['255.255.255.255', '255.255.255.255'],
    ['192.0.2.7', '192.0.2.7'],
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['::2:3:4:5:6:7:8', '0:2:3:4:5:6:7:8'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['::ffff:10.0.0.1', '::ffff:10.0.0.1'],
    ['::ffff:a00:1', '::ffff:10.0.0.1'],
    ['::10.0.0.1', '::a00:1'],
    ['1:2:3:4:5:6:10.0.0.1', '1:2:3:4:5:6:a00:1'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
  ])('%s is read and printed as %s', (text, canonical) => {
    expect(formatIpAddress(ip(text))).toBe(canonical);
  });

  it.each([
    '',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '01.2.3.4',
    '1.2.3.04',
    '1.2.3.',
    '1.2.3.4/32',
    ' 1.2.3.4',
    '0x7f.0.0.1',
    '10',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7::8',
    '12345::',
    'g::',
    '::1%eth0',
    '[::1]',
    '1.2.3.4::',
    '::1.2.3.4:5',
    '::1.2.3',
    '::01.2.3.4',
    '1:2:3:4:5:6:7:1.2.3.4',
  ])('%j is not an address', (text) => {
    expect(parseIpAddress(text)).toBeUndefined();
  });

  it('keeps a v4-mapped address in IPv6', () => {
    expect(ip('::ffff:10.0.0.1')).toEqual({ family: 6, value: 0xffff_0a00_0001n });
    expect(ip('10.0.0.1')).toEqual({ family: 4, value: 0x0a00_0001n });
  });

  it('reads back every address that it prints', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<4 | 6>(4, 6),
        fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
        (family, bits) => {
          const value = family === 4 ? bits % 2n ** 32n : bits;
          expect(parseIpAddress(formatIpAddress({ family, value }))).toEqual({ family, value });
        },
      ),
      { numRuns: propertyRuns() },
    );
  });
});

describe('items of a set', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.000.002.007', '192.0.2.7'],
    ['192.0.2.0/24', '192.0.2.0..192.0.2.255'],
    ['0.0.0.0/0', '0.0.0.0..255.255.255.255'],
    ['192.0.2.7/32', '192.0.2.7'],
    ['192.0.2.7/032', '192.0.2.7'],
    ['10/8', '10.0.0.0..10.255.255.255'],
    ['10.0/16', '10.0.0.0..10.0.255.255'],
    ['10', '10.0.0.0'],
    ['10.1', '10.1.0.0'],
    ['::/0', '::..ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:db8::/32', '2001:db8::..2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['::ffff:12.34.56.78/127', '::ffff:12.34.56.78..::ffff:12.34.56.79'],
    ['10.0.0.0..127.0.0.1', '10.0.0.0..127.0.0.1'],
    ['::1..::2', '::1..::2'],
    ['::1..::1', '::1'],
  ])('%s covers %s', (chunk, covered) => {
    expect(item(chunk)).toBe(covered);
  });

  it.each([
    ['1.2.3.4.5', 'ParseNetwork', SYNTAX, '1.2.3.4.5'],
    ['10.0.0.0.0/10', 'ParseNetwork', SYNTAX, '10.0.0.0.0'],
    ['/8', 'ParseNetwork', SYNTAX, ''],
    ['10./8', 'ParseNetwork', SYNTAX, '10.'],
    ['300', 'ParseNetwork', SYNTAX, '300'],
    ['abc', 'ParseNetwork', SYNTAX, 'abc'],
    ['1.2.3.4/8/9', 'ParseNetwork', SYNTAX, '1.2.3.4'],
    ['1.2..4/32', 'ParseNetwork', SYNTAX, '1.2'],
    ['198.51.100.3..198.5', 'ParseNetwork', SYNTAX, '198.5'],
    ['10.0.0.0/8..10.1.0.0', 'ParseNetwork', SYNTAX, '10.0.0.0/8'],
    ['192.0.2.7/24', 'ParseNetwork', 'host part of address was not zero', '192.0.2.7'],
    ['::/.1', 'ParseNetwork', "couldn't parse length in network: invalid digit found in string", '.1'],
    [
      '::/256.1',
      'ParseNetwork',
      "couldn't parse length in network: number too large to fit in target type",
      '256.1',
    ],
    [
      '8.8.8.0/',
      'ParseNetwork',
      "couldn't parse length in network: cannot parse integer from empty string",
      '',
    ],
    ['8.8.8.0/a', 'ParseNetwork', "couldn't parse length in network: invalid digit found in string", 'a'],
    [
      '8.8.8.0/256',
      'ParseNetwork',
      "couldn't parse length in network: number too large to fit in target type",
      '256',
    ],
    [
      '10.0.0.0/33',
      'ParseNetwork',
      'invalid length for network: Network length 33 is too long for Ipv4 (maximum: 32)',
      '10.0.0.0/33',
    ],
    [
      '::/129',
      'ParseNetwork',
      'invalid length for network: Network length 129 is too long for Ipv6 (maximum: 128)',
      '::/129',
    ],
    ['127.0.0.1..10.0.0.0', 'IncompatibleRangeBounds', 'incompatible range bounds', '127.0.0.1..10.0.0.0'],
    ['::2..::1', 'IncompatibleRangeBounds', 'incompatible range bounds', '::2..::1'],
    ['10.0.0.0..::1', 'IncompatibleRangeBounds', 'incompatible range bounds', '10.0.0.0..::1'],
    ['::1..10.0.0.0', 'IncompatibleRangeBounds', 'incompatible range bounds', '::1..10.0.0.0'],
  ])('%j is refused with %s: %s at %j', (chunk, kind, message, marked) => {
    expect(item(chunk)).toEqual([kind, message, marked]);
  });
});

describe('sets of ranges', () => {
  const range = fc
    .record({
      family: fc.constantFrom<4 | 6>(4, 6),
      first: fc.bigInt({ min: 0n, max: 30n }),
      length: fc.bigInt({ min: 0n, max: 6n }),
    })
    .map(({ family, first, length }): IpRange => ({ family, first, last: first + length }));

  it('hold the same addresses after merging, in the one shortest list', () => {
    fc.assert(
      fc.property(fc.array(range, { maxLength: 8 }), (ranges) => {
        const merged = mergeRanges(ranges);
        for (const family of [4, 6] as const) {
          for (let value = 0n; value < 40n; value += 1n) {
            const wanted = ranges.some(
              (one) => one.family === family && one.first <= value && value <= one.last,
            );
            expect([value, ipRangesContain(merged, { family, value })]).toEqual([value, wanted]);
          }
        }
        for (const [index, next] of merged.slice(1).entries()) {
          const previous = merged[index] as IpRange;
          expect(previous.family < next.family || previous.last + 1n < next.first).toBe(true);
        }
        expect(mergeRanges([...merged].reverse())).toEqual(merged);
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('never cross families', () => {
    const everything = mergeRanges([{ family: 6, first: 0n, last: 2n ** 128n - 1n }]);
    expect(ipRangesContain(everything, ip('10.0.0.1'))).toBe(false);
    expect(ipRangesContain(everything, ip('::ffff:10.0.0.1'))).toBe(true);
  });
});
