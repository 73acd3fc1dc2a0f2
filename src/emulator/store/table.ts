/** Called for each change of a table with a function that undoes the change. */
export type NoteUndo = (undo: () => void) => void;

/**
 * Immutable records by key, in the order in which they were added, with an index by group (such as the owner of a
 * ruleset or the zone of a firewall rule). Each change passes its undo to the store.
 */
export interface Table<T> {
  get(key: string): T | undefined;
  /** All records, oldest first. */
  all(): readonly T[];
  /** The records of one group, oldest first. */
  group(name: string): readonly T[];
  set(key: string, record: T): void;
  delete(key: string): void;
  /** Replaces all records; cannot be undone by a transaction. */
  load(records: readonly T[]): void;
}

/** Derives the key and the group of a record. */
export interface TableKeys<T> {
  readonly key: (record: T) => string;
  readonly group?: (record: T) => string;
}

/** Creates an empty table. */
export function createTable<T>(keys: TableKeys<T>, note: NoteUndo): Table<T> {
  const groupOf = keys.group ?? (() => '');
  let records = new Map<string, T>();
  let groups = new Map<string, Map<string, T>>();

  const put = (key: string, record: T): void => {
    records.set(key, record);
    const name = groupOf(record);
    const group = groups.get(name) ?? new Map<string, T>();
    group.set(key, record);
    groups.set(name, group);
  };
  const remove = (key: string, record: T): void => {
    records.delete(key);
    groups.get(groupOf(record))?.delete(key);
  };
  const load = (next: readonly T[]): void => {
    records = new Map();
    groups = new Map();
    for (const record of next) {
      put(keys.key(record), record);
    }
  };

  return {
    get: (key) => records.get(key),
    all: () => [...records.values()],
    group: (name) => [...(groups.get(name)?.values() ?? [])],
    load,
    set: (key, record) => {
      const before = records.get(key);
      put(key, record);
      note(() => (before === undefined ? remove(key, record) : put(key, before)));
    },
    delete: (key) => {
      const before = records.get(key);
      if (before === undefined) {
        return;
      }
      // Undoing a deletion restores the record's place, because lists show the records in their order.
      const order = [...records.values()];
      remove(key, before);
      note(() => load(order));
    },
  };
}
