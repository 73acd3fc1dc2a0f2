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
