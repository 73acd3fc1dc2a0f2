import type { Node, Pair, YAMLMap } from 'yaml';

import { keyName } from '../yaml/key-name.ts';

/** The pair of a mapping that has a key. */
export function pairOf(map: YAMLMap<Node, Node | null>, key: string): Pair<Node, Node | null> | undefined {
  return map.items.find((pair) => keyName(pair.key) === key);
}
