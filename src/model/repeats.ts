/** An item whose key an earlier one has, and the first that has it. */
interface Repeat<Item> {
  readonly item: Item;
  readonly first: Item;
}

/** The first item of each key, and those that repeat a key, in their order; items without a key are neither. */
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
