import { encodeBytes } from '../values/bytes.ts';
import { intersect } from './intervals.ts';
import type { Intervals } from './intervals.ts';
import type { Meaning } from './meaning.ts';

/** The last code point. */
export const LAST_CODE_POINT = 0x10_ff_ff;

// Code points by the length of their encoding; surrogates have none.
const BY_LENGTH: readonly (readonly [number, number])[] = [
  [0x00, 0x7f],
  [0x80, 0x7_ff],
  [0x8_00, 0xd7_ff],
  [0xe0_00, 0xff_ff],
  [0x1_00_00, LAST_CODE_POINT],
];

/** The UTF-8 encodings of a set of code points, as a choice of sequences of byte ranges. */
export function encodeSet(codePoints: Intervals): Meaning {
  const parts = BY_LENGTH.flatMap((length) => intersect(codePoints, [length]))
    .flatMap(([first, last]) => splitRange(first, last))
    .map(([first, last]) => encodeRange(first, last));
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : { kind: 'choice', parts };
}

/** Splits a range of code points of one length so that each byte of their encodings runs over a range of its own. */
function splitRange(first: number, last: number): (readonly [number, number])[] {
  for (let bits = 6; bits <= 18; bits += 6) {
    const mask = 2 ** bits - 1;
    if (Math.floor(first / 2 ** bits) === Math.floor(last / 2 ** bits)) {
      break;
    }
    if ((first & mask) !== 0) {
      return [...splitRange(first, first | mask), ...splitRange((first | mask) + 1, last)];
    }
    if ((last & mask) !== mask) {
      return [...splitRange(first, (last & ~mask) - 1), ...splitRange(last & ~mask, last)];
    }
  }
  return [[first, last]];
}

function encodeRange(first: number, last: number): Meaning {
  if (first <= 0x7f) {
    return { kind: 'set', bytes: [[first, last]] };
  }
  const from = encodeBytes(String.fromCodePoint(first));
  const to = encodeBytes(String.fromCodePoint(last));
  const parts = Array.from(from, (_, index): Meaning => ({
    kind: 'set',
    bytes: [[from.charCodeAt(index), to.charCodeAt(index)]],
  }));
  return { kind: 'sequence', parts };
}
