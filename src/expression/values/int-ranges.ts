import { toInt } from './value.ts';
import type { Int } from './value.ts';

/** An inclusive range of integers. */
export interface IntRange {
  readonly first: bigint;
  readonly last: bigint;
}

/** The same integers as sorted ranges that neither overlap nor touch: equal sets give equal lists. */
export function mergeIntRanges(ranges: readonly IntRange[]): readonly IntRange[] {
  const merged: IntRange[] = [];
  for (const range of [...ranges].sort((a, b) => (a.first < b.first ? -1 : 1))) {
    const previous = merged.at(-1);
    if (previous === undefined || range.first > previous.last + 1n) {
      merged.push({ first: range.first, last: range.last });
    } else if (range.last > previous.last) {
      merged[merged.length - 1] = { first: previous.first, last: range.last };
    }
  }
  return merged;
}

/** A predicate that says whether an integer lies in one of some ranges, by binary search. */
export function compileIntRanges(ranges: readonly IntRange[]): (value: Int) => boolean {
  const merged = mergeIntRanges(ranges).map(({ first, last }) => ({
    first: toInt(first),
    last: toInt(last),
  }));
  return (value) => {
    let low = 0;
    let high = merged.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const range = merged[middle];
      if (range === undefined || value < range.first) {
        high = middle - 1;
      } else if (value > range.last) {
        low = middle + 1;
      } else {
        return true;
      }
    }
    return false;
  };
}
