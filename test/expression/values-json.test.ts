import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseType } from '../../src/expression/values/type.ts';
import type { Type } from '../../src/expression/values/type.ts';
import { lowerAscii, upperAscii, decodeBytes, encodeBytes } from '../../src/expression/values/bytes.ts';
import { fillDefaults } from '../../src/expression/values/defaults.ts';
import { compileIntRanges } from '../../src/expression/values/ranges.ts';
import { readValues, valueToJson } from '../../src/expression/values/read-json.ts';
import { parseInt64 } from '../../src/expression/values/value.ts';
import { propertyRuns } from '../property-runs.ts';

function scheme(types: Readonly<Record<string, string>>): ReadonlyMap<string, Type> {
  return new Map(Object.entries(types).map(([name, type]) => [name, parseType(type) as Type]));
}

const FIELDS = scheme({
  flag: 'Bool',
  count: 'Int',
  text: 'Bytes',
  ip: 'Ip',
  list: 'Array<Bytes>',
  map: 'Map<Array<Int>>',
});

function readOne(name: string, given: unknown): unknown {
  const read = readValues({ [name]: given }, FIELDS);
  return read.ok ? read.values.get(name) : read.problems;
}

describe('values from JSON', () => {
  it.each([
    ['flag', true, true],
    ['count', 5, 5],
    ['count', '9223372036854775807', 9_223_372_036_854_775_807n],
    ['count', '-12', -12],
    ['text', 'é', '\xc3\xa9'],
    ['text', [0xff, 0x00], '\xff\0'],
    ['ip', '10.0.0.1', { family: 4, value: 0x0a00_0001n }],
    ['list', ['a', [0x80]], ['a', '\x80']],
    [
      'map',
      { é: [1], a: [] },
      new Map([
        ['a', []],
        ['\xc3\xa9', [1]],
      ]),
    ],
  ])('%s from %j', (name, given, value) => {
    expect(readOne(name, given)).toEqual(value);
  });

  it('treats null and absent fields as missing', () => {
    expect(readOne('text', null)).toBeUndefined();
    expect(readValues({}, FIELDS)).toEqual({ ok: true, values: new Map() });
  });

  it('sorts the keys of a map by their bytes', () => {
    const map = readOne('map', { b: [], é: [], Z: [], a: [] });
    expect([...(map as ReadonlyMap<string, unknown>).keys()]).toEqual(['Z', 'a', 'b', '\xc3\xa9']);
  });

  it('reports every problem with its place', () => {
    const given = {
      flag: 1,
      count: 1.5,
      text: [256],
      ip: '10.0.0.0/8',
      list: ['a', 1],
      map: { k: ['1', 'x'] },
      other: 1,
    };
    expect(readValues(given, FIELDS)).toEqual({
      ok: false,
      problems: [
        'flag: expected a value of type Bool',
        'count: expected a value of type Int',
        'text: expected a value of type Bytes',
        'ip: expected a value of type Ip',
        'list[1]: expected a value of type Bytes',
        'map["k"][1]: expected a value of type Int',
        'other: not a field of the scheme',
      ],
    });
    expect(readValues([], FIELDS)).toEqual({ ok: false, problems: ['values: expected an object of fields'] });
    expect(readOne('count', '9223372036854775808')).toEqual(['count: expected a value of type Int']);
    expect(readOne('count', 2 ** 53)).toEqual(['count: expected a value of type Int']);
  });

  it('converts values back to the same JSON', () => {
    const given = {
      flag: false,
      count: '9223372036854775807',
      text: 'é',
      ip: '2001:db8::1',
      list: ['a', [255]],
      map: { é: [1, -1] },
    };
    const read = readValues(given, FIELDS);
    expect(read.ok && valueToJson(read.values)).toEqual(given);
    expect(valueToJson(undefined)).toBeNull();
  });

  it('fills missing fields with defaults, except addresses', () => {
    expect(fillDefaults(new Map([['count', 7]]), FIELDS)).toEqual(
      new Map<string, unknown>([
        ['count', 7],
        ['flag', false],
        ['text', ''],
        ['list', []],
        ['map', new Map()],
      ]),
    );
  });
});

describe('bytes', () => {
  it('encode and decode UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const bytes = encodeBytes(text);
        expect(bytes).toBe(Buffer.from(text).toString('latin1'));
        expect(decodeBytes(bytes)).toBe(text);
      }),
      { numRuns: propertyRuns() },
    );
    expect(decodeBytes('\xff')).toBeUndefined();
    expect(decodeBytes('\xed\xa0\x80')).toBeUndefined();
    expect(decodeBytes('\xef\xbb\xbfa')).toBe('\ufeffa');
  });

  it('change the case of ASCII letters only', () => {
    expect(lowerAscii('AZ[\xc4\xdf')).toBe('az[\xc4\xdf');
    expect(upperAscii('az{\xe4\xb5\xff')).toBe('AZ{\xe4\xb5\xff');
  });
});

describe('integers', () => {
  it('are read within 64 bits', () => {
    expect(parseInt64('0')).toBe(0);
    expect(parseInt64('9007199254740993')).toBe(9_007_199_254_740_993n);
    expect(parseInt64('-9223372036854775808')).toBe(-(2n ** 63n));
    expect(parseInt64('-9223372036854775809')).toBeUndefined();
    expect(parseInt64('1.0')).toBeUndefined();
    expect(parseInt64('')).toBeUndefined();
  });

  it('are found in ranges as by brute force', () => {
    const range = fc
      .tuple(fc.bigInt({ min: -20n, max: 20n }), fc.bigInt({ min: 0n, max: 5n }))
      .map(([first, length]) => ({ first, last: first + length }));
    fc.assert(
      fc.property(fc.array(range, { maxLength: 8 }), (ranges) => {
        const contains = compileIntRanges(ranges);
        for (let value = -25; value <= 30; value += 1) {
          const wanted = ranges.some(({ first, last }) => first <= value && value <= last);
          expect([value, contains(value)]).toEqual([value, wanted]);
        }
      }),
      { numRuns: propertyRuns() },
    );
    expect(compileIntRanges([{ first: 2n ** 62n, last: 2n ** 63n - 1n }])(2n ** 62n)).toBe(true);
    expect(compileIntRanges([{ first: 2n ** 62n, last: 2n ** 63n - 1n }])(5)).toBe(false);
  });
});
