import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/data/json.ts';
import { canonicalJson, inKeyOrder, isJsonArray, isJsonObject } from '../../src/data/json.ts';
import { propertyRuns } from '../property-runs.ts';

const SPECIAL = ['', '"', '\\', '\n', '\u007f', '\ud800', '\udfff', '\ud83d\ude00', '\u2028', 'é', 'a"b'];
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...SPECIAL),
  fc.tuple(fc.constantFrom(...SPECIAL), fc.nat({ max: 60 })).map(([text, more]) => 'x'.repeat(more) + text),
);

const values = fc.letrec<{ readonly value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(texts, fc.double(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value')),
    fc.dictionary(
      fc.oneof(texts, fc.constantFrom('kind', 'id', 'ref', '__proto__', '10', '9')),
      tie('value'),
    ),
  ),
})).value;

/** The reference: sorts the entries and writes them out. They stay in an array, because an object would put integer keys first. */
function plainly(value: JsonValue): string {
  if (isJsonArray(value)) {
    return `[${value.map(plainly).join(',')}]`;
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${plainly(member)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

/** Reverses the key order of all objects, except for integer keys, which objects always put first. */
function turned(value: JsonValue): JsonValue {
  if (isJsonArray(value)) {
    return value.map(turned);
  }
  return isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, member]) => [key, turned(member)]),
      )
    : value;
}

describe('inKeyOrder', () => {
  it('keeps the value, and gives the same text for every order of the keys', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(canonicalJson(inKeyOrder(value))).toBe(canonicalJson(value));
        expect(JSON.stringify(inKeyOrder(turned(value)))).toBe(JSON.stringify(inKeyOrder(value)));
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('gives the canonical text if no key is a number', () => {
    const value = { b: [{ d: 1, c: null }], a: { z: 'x', é: true }, aa: [] };
    expect(JSON.stringify(inKeyOrder(value))).toBe(canonicalJson(value));
  });

  it('returns the same object if its keys are in order already', () => {
    const value = { a: 1, b: 'x' };
    expect(inKeyOrder(value)).toBe(value);
  });
});

describe('canonicalJson', () => {
  it('is JSON with sorted keys, whatever objects were written before', () => {
    fc.assert(
      fc.property(fc.array(values, { maxLength: 4 }), (list) => {
        expect(canonicalJson(list)).toBe(plainly(list));
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('leaves out members whose value is undefined', () => {
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
    expect(canonicalJson({ a: 1, b: undefined, c: undefined })).toBe('{"a":1}');
    expect(canonicalJson({ a: undefined })).toBe('{}');
  });
});
