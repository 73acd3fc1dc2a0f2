import type { IpAddress, IpRange } from './ip.ts';

/**
 * The same addresses as sorted ranges that neither overlap nor touch, IPv4 before IPv6: equal sets give equal lists, in
 * O(n log n).
 */
export function mergeIpRanges(ranges: readonly IpRange[]): readonly IpRange[] {
  const sorted = [...ranges].sort(compareRanges);
  const merged: IpRange[] = [];
  for (const range of sorted) {
    const previous = merged.at(-1);
    if (previous === undefined || previous.family !== range.family || range.first > previous.last + 1n) {
      merged.push(range);
    } else if (range.last > previous.last) {
      merged[merged.length - 1] = { ...previous, last: range.last };
    }
  }
  return merged;
}

/** Whether an address lies in one of the ranges of `mergeIpRanges`, by binary search. */
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

function compareRanges(left: IpRange, right: IpRange): number {
  if (left.family !== right.family) {
    return left.family - right.family;
  }
  if (left.first !== right.first) {
    return left.first < right.first ? -1 : 1;
  }
  return 0;
}
