/** An item that repeats the key of an earlier one, and the first item with that key. */
interface Repeat<Item> {
  readonly item: Item;
  readonly first: Item;
}

/** Returns the first item of each key, and the items that repeat a key, in their order; items without a key are in neither. */
export function repeatsOf<Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => string | undefined,
): { readonly firsts: ReadonlyMap<string, Item>; readonly repeats: readonly Repeat<Item>[] } {
  const firsts = new Map<string, Item>();
  const repeats: Repeat<Item>[] = [];
  for (const item of items) {
    const key = keyOf(item);
    const first = key === undefined ? undefined : firsts.get(key);
    if (first !== undefined) {
      repeats.push({ item, first });
    } else if (key !== undefined) {
      firsts.set(key, item);
    }
  }
  return { firsts, repeats };
}
