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

/** A map from texts that keeps a limited number of values. */
export interface LimitedMap<Value> {
  readonly get: (key: string) => Value | undefined;
  /** Keeps a value, and returns it. */
  readonly keep: (key: string, value: Value) => Value;
}

/** Creates a map that is emptied before it would hold more than `most` values: cheaper than finding the one that was used least. */
export function createLimitedMap<Value>(most: number): LimitedMap<Value> {
  const values = new Map<string, Value>();
  return {
    get: (key) => values.get(key),
    keep: (key, value) => {
      if (values.size >= most) {
        values.clear();
      }
      values.set(key, value);
      return value;
    },
  };
}

/** Returns a function that computes the value of each key once; without a key, a single value. */
export function memoise<Value, Key = void>(compute: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, { readonly value: Value }>();
  return (key) => {
    const known = values.get(key) ?? { value: compute(key) };
    values.set(key, known);
    return known.value;
  };
}

/** Like `memoise`, for keys that are objects, which it does not keep alive. */
export function memoiseWeakly<Key extends object, Value extends object | number>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => {
    const value = values.get(key) ?? compute(key);
    values.set(key, value);
    return value;
  };
}

/** Number of texts remembered at a time. */
const PLACES = 65_536;

/**
 * Returns a function that tells whether it was given a text before, in constant memory. It keeps only a 32-bit hash per text: a text may be
 * forgotten, and one in billions taken for another. Use it only to decide what is worth keeping.
 */
export function createCameBefore(): (text: string) => boolean {
  const hashes = new Uint32Array(PLACES);
  return (text) => {
    const hash = hashOf(text);
    const place = hash % PLACES;
    const came = hashes[place] === hash;
    hashes[place] = hash;
    return came;
  };
}

/** 32-bit FNV-1a over UTF-16 code units; never 0, which marks an empty slot. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0 || 1;
}
