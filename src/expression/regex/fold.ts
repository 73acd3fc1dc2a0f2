import { intersect, invert, unite } from './intervals.ts';
import type { Intervals } from './intervals.ts';
import { LAST_CODE_POINT } from './utf8.ts';

const UPPER: Intervals = [[0x41, 0x5a]];
const LOWER: Intervals = [[0x61, 0x7a]];
const BEYOND_ASCII: Intervals = invert([[0, 0x7f]], LAST_CODE_POINT);

// The two letters beyond ASCII whose simple case folding is an ASCII letter: the Kelvin sign and the long s.
const STRANGERS: readonly { readonly letters: Intervals; readonly stranger: number }[] = [
  {
    letters: [
      [0x4b, 0x4b],
      [0x6b, 0x6b],
    ],
    stranger: 0x21_2a,
  },
  {
    letters: [
      [0x53, 0x53],
      [0x73, 0x73],
    ],
    stranger: 0x1_7f,
  },
];

/** Adds the other case of each ASCII letter to a set of bytes; the flag `i` folds nothing else (rules-language.md 2.5). */
export function foldBytes(set: Intervals): Intervals {
  const shifted = (letters: Intervals, by: number): Intervals =>
    intersect(set, letters).map(([first, last]) => [first + by, last + by]);
  return unite(set, unite(shifted(UPPER, 0x20), shifted(LOWER, -0x20)));
}

/**
 * Adds all case variants to a set of code points, for when Unicode is on; undefined for a set with some but not all code points beyond
 * ASCII, because we have no tables of their variants.
 */
export function foldCodePoints(set: Intervals): Intervals | undefined {
  const beyond = intersect(set, BEYOND_ASCII);
  const everything = beyond.length === 1 && beyond[0]?.[0] === 0x80 && beyond[0][1] === LAST_CODE_POINT;
  if (beyond.length > 0 && !everything) {
    return undefined;
  }
  let folded = foldBytes(set);
  for (const { letters, stranger } of STRANGERS) {
    if (everything) {
      folded = unite(folded, letters);
    } else if (intersect(set, letters).length > 0) {
      folded = unite(folded, [[stranger, stranger]]);
    }
  }
  return folded;
}
