/** Groups items by a key. Groups come in the order of their first item, items in their original order. */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [item]);
    } else {
      group.push(item);
    }
  }
  return groups;
}

/** Returns the groups of two or more items that share a key. Allocates no list for items whose key is unique. */
export function sharing<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): readonly (readonly Item[])[] {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const item of items) {
    const key = keyOf(item);
    (seen.has(key) ? shared : seen).add(key);
  }
  return shared.size === 0
    ? []
    : [
        ...groupBy(
          items.filter((item) => shared.has(keyOf(item))),
          keyOf,
        ).values(),
      ];
}
