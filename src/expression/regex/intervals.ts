/** A set of numbers as sorted ranges, both ends included, that neither overlap nor touch. */
export type Intervals = readonly (readonly [number, number])[];

/** Returns the set of all numbers in some ranges, given in any order. */
export function intervalsOf(ranges: Intervals): Intervals {
  const merged: [number, number][] = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const previous = merged.at(-1);
    if (previous === undefined || first > previous[1] + 1) {
      merged.push([first, last]);
    } else {
      previous[1] = Math.max(previous[1], last);
    }
  }
  return merged;
}

/** Returns the numbers that are in either set. */
export function unite(left: Intervals, right: Intervals): Intervals {
  return intervalsOf([...left, ...right]);
}

/** Returns the numbers from 0 to `last` that are not in the set. */
export function invert(set: Intervals, last: number): Intervals {
  const inverted: [number, number][] = [];
  let next = 0;
  for (const [from, to] of set) {
    if (from > next) {
      inverted.push([next, from - 1]);
    }
    next = to + 1;
  }
  if (next <= last) {
    inverted.push([next, last]);
  }
  return inverted;
}

/** Returns the numbers that are in both sets. */
export function intersect(left: Intervals, right: Intervals): Intervals {
  const common: [number, number][] = [];
  let index = 0;
  for (const [first, last] of left) {
    while ((right[index]?.[1] ?? Number.POSITIVE_INFINITY) < first) {
      index += 1;
    }
    for (let at = index; at < right.length; at += 1) {
      const [from, to] = right[at] ?? [0, -1];
      if (from > last) {
        break;
      }
      common.push([Math.max(first, from), Math.min(last, to)]);
    }
  }
  return common;
}
