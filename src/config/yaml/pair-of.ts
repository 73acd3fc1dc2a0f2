import { isScalar } from 'yaml';
import type { Node, Pair, YAMLMap } from 'yaml';
import { memoiseWeakly } from '../../model/memoise.ts';

/**
 * A key as JSON has it, or nothing when it cannot be one. Of a number the text counts, so that an id made
 * of digits stays what it is.
 */
export function keyName(key: Node | null): string | undefined {
  if (!isScalar(key) || key.value === null) {
    return undefined;
  }
  return typeof key.value === 'string' ? key.value : key.source;
}

type Mapping = YAMLMap<Node, Node | null>;

/** Mappings with more pairs are indexed by key: many findings may lie in one. */
const MANY_PAIRS = 32;

/** Of large mappings only: what hangs on a map of the whole run outlives all collections of young garbage. */
const indexOf = memoiseWeakly(
  (map: Mapping): ReadonlyMap<string | undefined, Pair<Node, Node | null>> =>
    new Map(map.items.map((pair) => [keyName(pair.key), pair])),
);

/** The pair of a mapping that has a key. */
export function pairOf(map: Mapping, key: string): Pair<Node, Node | null> | undefined {
  return map.items.length <= MANY_PAIRS
    ? map.items.find((pair) => keyName(pair.key) === key)
    : indexOf(map).get(key);
}
