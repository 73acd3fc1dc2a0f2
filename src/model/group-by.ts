/** Items by a key, both in the order of their first. */
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

/** The groups of more than one item: of items that share their key with no other, ten thousand leave no ten thousand lists. */
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
