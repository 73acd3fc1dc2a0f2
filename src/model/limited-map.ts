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
