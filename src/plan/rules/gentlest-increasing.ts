import type { Weighted } from './increasing.ts';

/** The price of items that do not stay. */
export interface Straying {
  /** The heaviest increasing subsequence regardless of the price; it is the result when nothing strays. */
  readonly heaviest: ReadonlySet<number>;
  readonly price: number;
  /** Whether moving the item at a position beside the item at another position costs the price. */
  readonly strays: (position: number, beside: number) => boolean;
}

/**
 * Returns the indices of a strictly increasing subsequence (by `position`) with the greatest total weight, less the price for each item outside
 * it that strays. An item outside goes beside its predecessor in the subsequence, or beside the first item if it has none. O(n²), or O(n) when
 * nothing strays.
 */
export function gentlestIncreasing(
  items: readonly Weighted[],
  { heaviest, price, strays }: Straying,
): ReadonlySet<number> {
  if (!someStray(items, heaviest, strays)) {
    return heaviest;
  }
  const isAstray = (index: number, beside: Weighted): boolean =>
    strays(items[index]?.position ?? 0, beside.position);
  // The best total of a subsequence that ends at each item, including the price for items before it.
  const best = items.map((item, index) => {
    let total = item.weight;
    for (let leading = 0; leading < index; leading += 1) {
      total -= isAstray(leading, item) ? price : 0;
    }
    return total;
  });
  const previous = items.map(() => -1);
  let [last, most] = [-1, -Infinity];
  items.forEach((item, index) => {
    let total = best[index] ?? 0;
    for (let next = index + 1; next < items.length; next += 1) {
      const { position, weight } = items[next] ?? item;
      if (position > item.position && total + weight > (best[next] ?? 0)) {
        best[next] = total + weight;
        previous[next] = index;
      }
      total -= isAstray(next, item) ? price : 0;
    }
    if (total > most) {
      [last, most] = [index, total];
    }
  });
  const chosen = new Set<number>();
  for (let at = last; at !== -1; at = previous[at] ?? -1) {
    chosen.add(at);
  }
  return chosen;
}

function someStray(
  items: readonly Weighted[],
  chosen: ReadonlySet<number>,
  strays: Straying['strays'],
): boolean {
  let beside = items.find((_item, index) => chosen.has(index))?.position ?? -1;
  return items.some(({ position }, index) => {
    beside = chosen.has(index) ? position : beside;
    return !chosen.has(index) && strays(position, beside);
  });
}
