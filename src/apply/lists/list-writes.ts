import {
  createListRequest,
  deleteItemsRequest,
  deleteListRequest,
  describeListRequest,
  putItemsRequest,
} from '../../api/index.ts';
import type { WriteRequest } from '../../api/index.ts';
import type { ListItem, ListStep, ListTarget, LiveListItem } from '../../model/index.ts';
import { listItemKey } from '../../model/index.ts';
import { MOST_ITEMS_SENT } from '../../plan/index.ts';

/** One write of a step on a list. Those of items are carried out by an operation that takes time. */
export type ListWrite =
  | { readonly kind: 'create-list'; readonly target: ListTarget; readonly description: string }
  | { readonly kind: 'describe-list'; readonly description: string }
  | { readonly kind: 'add-items'; readonly items: readonly ListItem[] }
  | { readonly kind: 'remove-items'; readonly items: readonly LiveListItem[] }
  /** Puts these in the place of all items; `changes` are those of the step, for the look-up of what is live just before. */
  | {
      readonly kind: 'replace-items';
      readonly items: readonly ListItem[];
      readonly remove: readonly LiveListItem[];
    }
  | { readonly kind: 'delete-list' };

/** Returns the writes of a step, in order. Many items go in chunks. */
export function listWrites({
  operation,
  target,
  description,
  items,
  writing,
}: ListStep): readonly ListWrite[] {
  if (operation === 'delete') {
    return [{ kind: 'delete-list' }];
  }
  const written = [...items.add, ...items.change.map(({ after }) => after)];
  const adding = chunks(written).map((chunk): ListWrite => ({ kind: 'add-items', items: chunk }));
  const removing = chunks(items.remove).map((chunk): ListWrite => ({ kind: 'remove-items', items: chunk }));
  return [
    ...(operation === 'create'
      ? [{ kind: 'create-list' as const, target, description: description?.after ?? '' }]
      : []),
    ...(writing === 'replace'
      ? [{ kind: 'replace-items' as const, items: written, remove: items.remove }]
      : writing === 'add-remove'
        ? [...adding, ...removing]
        : [...removing, ...adding]),
    // Last, so that a replacement is sent right after the items were read which it names.
    ...(operation === 'update' && description !== undefined
      ? [{ kind: 'describe-list' as const, description: description.after }]
      : []),
  ];
}

function chunks<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / MOST_ITEMS_SENT);
  return Array.from({ length: count }, (_, index) =>
    items.slice(index * MOST_ITEMS_SENT, (index + 1) * MOST_ITEMS_SENT),
  );
}

/** Where a write of a list goes; a list that is yet to be made has no id. */
export interface ListPlace {
  readonly accountId: string;
  readonly listId: string;
}

/** Returns the request of a write; `live` are the items of the list, which a replacement needs. */
export function listRequest(write: ListWrite, at: ListPlace, live: readonly LiveListItem[]): WriteRequest {
  const { accountId, listId } = at;
  switch (write.kind) {
    case 'create-list': {
      const { name, holds: kind } = write.target;
      return createListRequest(accountId, { name, kind, description: write.description });
    }
    case 'describe-list':
      return describeListRequest(accountId, listId, write.description);
    case 'add-items':
      return putItemsRequest(at, write.items, 'POST');
    case 'remove-items':
      return deleteItemsRequest(
        at,
        write.items.map(({ id }) => id),
      );
    case 'replace-items':
      return putItemsRequest(at, itemsAfter(write, live), 'PUT');
    default:
      return deleteListRequest(accountId, listId);
  }
}

/** Returns all items after a replacement: those that stay keep what they say. */
function itemsAfter(
  { items, remove }: Extract<ListWrite, { readonly kind: 'replace-items' }>,
  live: readonly LiveListItem[],
): readonly ListItem[] {
  const gone = new Set(remove.map(({ item }) => listItemKey(item)));
  const wanted = new Map(items.map((item) => [listItemKey(item), item]));
  const stay = live.flatMap(({ item }) => {
    const key = listItemKey(item);
    return gone.has(key) || wanted.has(key) ? [] : [item];
  });
  return [...stay, ...wanted.values()];
}

/** Returns a write as the journal records it: items by their keys, of which the saved step has all. */
export function journalListWrite(write: ListWrite): { readonly kind: string; readonly items?: number } {
  return { kind: write.kind, ...('items' in write ? { items: write.items.length } : {}) };
}
