/**
 * Files that are read at the same time: as many as Node has threads for files. What is read longer ahead survives the young
 * collections in which it could have been freed for nothing.
 */
const OPEN_FILES = 4;

/** Yields what a function makes of each item, in their order; some are begun before it is their turn. */
export async function* readAhead<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, void> {
  const begun = items.slice(0, OPEN_FILES).map((item) => read(item));
  for (let next = OPEN_FILES; begun.length > 0; next += 1) {
    const first = begun.shift();
    const item = items[next];
    if (item !== undefined) {
      begun.push(read(item));
    }
    if (first !== undefined) {
      yield await first;
    }
  }
}
