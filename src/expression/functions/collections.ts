import { isList, isMap, sameScalar } from '../values/value.ts';
import type { Value } from '../values/value.ts';
import { plain } from './function.ts';
import type { FunctionBuilder } from './function.ts';

/** Returns the first argument that is not missing. */
export const coalesce: FunctionBuilder = plain((args) => args.find((value) => value !== undefined));

/** Joins byte strings or arrays; missing arguments are skipped, and the result is missing only when all are. */
export const concat: FunctionBuilder = plain((args) => {
  const present = args.filter((value) => value !== undefined);
  if (present.length === 0) {
    return undefined;
  }
  return isList(present[0])
    ? present.flatMap((value) => (isList(value) ? value : []))
    : present.filter((value) => typeof value === 'string').join('');
});

/** Returns the length of a byte string in bytes, or the number of elements of an array. */
export const len: FunctionBuilder = plain(([value]) =>
  typeof value === 'string' || isList(value) ? value.length : undefined,
);

/** Whether a map has a key. */
export const hasKey: FunctionBuilder = plain(([map, key]) =>
  isMap(map) && typeof key === 'string' ? map.has(key) : undefined,
);

/** Whether a value is among the elements of an array or the values of a map. */
export const hasValue: FunctionBuilder = plain(([collection, wanted]) => {
  if (wanted === undefined) {
    return undefined;
  }
  const elements: Iterable<Value> | undefined = isMap(collection)
    ? collection.values()
    : isList(collection)
      ? collection
      : undefined;
  return elements === undefined ? undefined : [...elements].some((element) => sameScalar(element, wanted));
});

/** Joins the items of an array with a separator between them. */
export const join: FunctionBuilder = plain(([items, separator]) =>
  isList(items) && typeof separator === 'string'
    ? items.filter((item) => typeof item === 'string').join(separator)
    : undefined,
);

/** Splits at each separator into at most `limit` parts; the last keeps the rest. */
export const split: FunctionBuilder = plain(([text, separator, limit]) => {
  if (typeof text !== 'string' || typeof separator !== 'string' || typeof limit !== 'number') {
    return undefined;
  }
  const parts = text.split(separator);
  return parts.length <= limit
    ? parts
    : [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
});
