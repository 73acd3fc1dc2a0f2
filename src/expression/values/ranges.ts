import type { IpAddress, IpRange } from '../../data/index.ts';
import { toInt } from './value.ts';
import type { Int } from './value.ts';

/** An inclusive range of integers, or of addresses of one family. */
export interface ValueRange {
  readonly family?: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

/**
 * Returns the same values as sorted ranges that neither overlap nor touch, IPv4 before IPv6. Equal sets give equal lists. Takes O(n log n)
 * time.
 */
export function mergeRanges<One extends ValueRange>(ranges: readonly One[]): readonly One[] {
  const merged: One[] = [];
  for (const range of ranges.toSorted(compareRanges)) {
    const previous = merged.at(-1);
    if (previous === undefined || previous.family !== range.family || range.first > previous.last + 1n) {
      merged.push(range);
    } else if (range.last > previous.last) {
      merged[merged.length - 1] = { ...previous, last: range.last };
    }
  }
  return merged;
}

/** Whether one range lies within another. */
export function isWithinRange(inner: ValueRange, outer: ValueRange): boolean {
  return inner.family === outer.family && outer.first <= inner.first && inner.last <= outer.last;
}

/** Returns a predicate for whether an integer lies in one of the ranges, by binary search. */
export function compileIntRanges(ranges: readonly ValueRange[]): (value: Int) => boolean {
  const merged = mergeRanges(ranges).map(({ first, last }) => ({ first: toInt(first), last: toInt(last) }));
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

/** Whether an address lies in one of the ranges, by binary search; the ranges must come from `mergeRanges`. */
export function ipRangesContain(ranges: readonly IpRange[], address: IpAddress): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const range = ranges[middle];
    if (range === undefined) {
      return false;
    }
    if (range.family < address.family || (range.family === address.family && range.last < address.value)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const candidate = ranges[low];
  return candidate !== undefined && candidate.family === address.family && candidate.first <= address.value;
}

function compareRanges(left: ValueRange, right: ValueRange): number {
  if (left.family !== right.family) {
    return (left.family ?? 0) - (right.family ?? 0);
  }
  return left.first < right.first ? -1 : left.first > right.first ? 1 : 0;
}
