import type { Node, Pair, YAMLMap } from 'yaml';

import { keyName } from './key-name.ts';

type Mapping = YAMLMap<Node, Node | null>;

/** Mappings with more pairs are indexed by key: many findings may lie in one. */
const MANY_PAIRS = 32;

/** Of large mappings only: what hangs on a map of the whole run outlives all collections of young garbage. */
const INDEXES = new WeakMap<Mapping, ReadonlyMap<string | undefined, Pair<Node, Node | null>>>();

/** The pair of a mapping that has a key. */
export function pairOf(map: Mapping, key: string): Pair<Node, Node | null> | undefined {
  if (map.items.length <= MANY_PAIRS) {
    return map.items.find((pair) => keyName(pair.key) === key);
  }
  const index = INDEXES.get(map) ?? new Map(map.items.map((pair) => [keyName(pair.key), pair]));
  INDEXES.set(map, index);
  return index.get(key);
}
