import { isScalar } from 'yaml';
import type { Node, Pair, YAMLMap } from 'yaml';
import { memoiseWeakly } from '../../model/memoise.ts';

/** Returns a key as JSON has it; undefined when it cannot be one. A number counts by its text, so that an id made of digits stays what it is. */
export function keyName(key: Node | null): string | undefined {
  if (!isScalar(key) || key.value === null) {
    return undefined;
  }
  return typeof key.value === 'string' ? key.value : key.source;
}

type Mapping = YAMLMap<Node, Node | null>;

/** Mappings with more pairs than this are indexed by key, since many findings may lie in one. */
const MANY_PAIRS = 32;

/** For large mappings only: what is attached to a map of the whole run outlives all young-generation collections. */
const indexOf = memoiseWeakly(
  (map: Mapping): ReadonlyMap<string | undefined, Pair<Node, Node | null>> =>
    new Map(map.items.map((pair) => [keyName(pair.key), pair])),
);

/** Returns the pair of a mapping that has a key. */
export function pairOf(map: Mapping, key: string): Pair<Node, Node | null> | undefined {
  return map.items.length <= MANY_PAIRS
    ? map.items.find((pair) => keyName(pair.key) === key)
    : indexOf(map).get(key);
}
