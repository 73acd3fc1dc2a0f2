import { jsonEqual, plainJson } from '../../data/index.ts';
import { listItemKey } from '../../model/index.ts';
import type { ListItem, ListStep, LiveListItem } from '../../model/index.ts';

/**
 * Lists the claims of a step about live items that are false, such as `192.0.2.1: that it is in the list`. Items are removed by their ids: a plan that
 * somebody hands in could name one item and remove another.
 */
export function listMismatches({ items }: ListStep, live: readonly LiveListItem[]): readonly string[] {
  const byId = new Map(live.map(({ id, item }) => [id, item]));
  const byKey = new Map(live.map(({ item }) => [listItemKey(item), item]));
  const isSame = (claimed: ListItem, found: ListItem | undefined): boolean =>
    found !== undefined && jsonEqual(plainJson(found), plainJson(claimed));
  return [
    ...items.remove
      .filter(({ id, item }) => !isSame(item, byId.get(id)))
      .map(({ item }) => `${listItemKey(item)}: that it is in the list, and under this id`),
    ...items.change
      .filter(({ before }) => !isSame(before, byKey.get(listItemKey(before))))
      .map(({ before }) => `${listItemKey(before)}: what it says`),
    ...items.add
      .filter((item) => byKey.has(listItemKey(item)))
      .map((item) => `${listItemKey(item)}: that it is not in the list`),
  ];
}
