/** An item of a sequence: its current position, and the weight of leaving it there. */
export interface Weighted {
  readonly position: number;
  readonly weight: number;
}

/**
 * Returns the indices of a strictly increasing subsequence (by `position`) with the greatest total weight. Positions are distinct. O(n log n):
 * a Fenwick tree of the best chain that ends at or below a position.
 */
export function heaviestIncreasing(items: readonly Weighted[]): ReadonlySet<number> {
  if (items.every(({ position }, index) => index === 0 || (items[index - 1]?.position ?? 0) < position)) {
    return new Set(items.keys());
  }
  const rank = new Map(
    items
      .map((item) => item.position)
      .sort((a, b) => a - b)
      .map((position, index) => [position, index + 1]),
  );
  const tree: number[] = Array.from({ length: items.length + 1 }, () => -1);
  const best: number[] = [];
  const previous: number[] = [];

  const better = (a: number, b: number): number => (b === -1 || (a !== -1 && total(a) >= total(b)) ? a : b);
  const total = (index: number): number => best[index] ?? 0;

  let last = -1;
  items.forEach((item, index) => {
    const place = rank.get(item.position) ?? 0;
    let chain = -1;
    for (let at = place - 1; at > 0; at -= at & -at) {
      chain = better(chain, tree[at] ?? -1);
    }
    previous.push(chain);
    best.push(item.weight + (chain === -1 ? 0 : total(chain)));
    for (let at = place; at < tree.length; at += at & -at) {
      tree[at] = better(tree[at] ?? -1, index);
    }
    last = better(last, index);
  });

  const chosen = new Set<number>();
  for (let at = last; at !== -1; at = previous[at] ?? -1) {
    chosen.add(at);
  }
  return chosen;
}
