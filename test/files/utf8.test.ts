import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8, oddByteText } from '../../src/files/read-text.ts';
import { propertyRuns } from '../property-runs.ts';

const MARK = [0xef, 0xbb, 0xbf];
const REPLACEMENT = [0xef, 0xbf, 0xbd];

describe('decodeUtf8', () => {
  it.each([
    ['a letter of Latin-1', [0x61, 0x0a, 0x62, 0xe9, 0x63], { byte: 0xe9, line: 2, column: 2 }],
    ['half a character at the end', [0x61, 0xc3], { byte: 0xc3, line: 1, column: 2 }],
    ['half of a pair', [0xed, 0xa0, 0x80], { byte: 0xed, line: 1, column: 1 }],
    ['an overlong form', [0xc0, 0xaf], { byte: 0xc0, line: 1, column: 1 }],
    ['UTF-16', [0xff, 0xfe, 0x61, 0x00], { byte: 0xff, line: 1, column: 1 }],
    ['behind a byte order mark', [...MARK, 0x61, 0xff], { byte: 0xff, line: 1, column: 2 }],
    [
      'behind a replacement that is one',
      [...REPLACEMENT, 0x0a, ...REPLACEMENT, 0xe9],
      { byte: 0xe9, line: 2, column: 2 },
    ],
    ['behind a character of four bytes', [0xf0, 0x9f, 0x98, 0x80, 0xe9], { byte: 0xe9, line: 1, column: 3 }],
  ])('finds the first byte that is not UTF-8: %s', (_, bytes, odd) => {
    expect(decodeUtf8(Buffer.from(bytes))).toMatchObject({ kind: 'not-utf8', ...odd });
  });
});

it.each([
  ['little-endian UTF-16', [0xff, 0xfe, 0x61, 0x00], 'it is UTF-16'],
  ['big-endian UTF-16', [0xfe, 0xff, 0x00, 0x61], 'it is UTF-16'],
  ['UTF-16 without a mark', [0x61, 0x00, 0xe9, 0x00], 'it is UTF-16'],
  ['a letter of Latin-1', [0xff, 0x61], 'the byte 0xFF is not UTF-8'],
  ['two of them further behind', [0x61, 0xff, 0xfe], 'the byte 0xFF is not UTF-8'],
])('oddByteText names the encoding or the byte of %s', (_, bytes, says) => {
  const decoded = decodeUtf8(Buffer.from(bytes));
  expect(decoded.kind === 'text' ? decoded.text : oddByteText(decoded)).toBe(says);
});

it('decodeUtf8 removes a leading byte order mark, and keeps replacement characters of the file', () => {
  expect(decodeUtf8(Buffer.from('\u{feff}a\u{fffd}\u{feff}'))).toEqual({
    kind: 'text',
    text: 'a\u{fffd}\u{feff}',
  });
});

it('decodeUtf8 decodes exactly what a strict TextDecoder decodes', () => {
  const strict = (bytes: Buffer): string | null => {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      return null;
    }
  };
  const near = fc.constantFrom(0x61, 0x0a, 0xc3, 0xa9, 0xe9, 0xef, 0xbf, 0xbd, 0xbb, 0xf0, 0x9f, 0xff);
  fc.assert(
    fc.property(fc.array(near, { maxLength: 12 }), (numbers) => {
      const bytes = Buffer.from(numbers);
      const decoded = decodeUtf8(bytes);
      expect(decoded.kind === 'text' ? decoded.text : null).toBe(strict(bytes));
    }),
    { numRuns: propertyRuns() },
  );
});
