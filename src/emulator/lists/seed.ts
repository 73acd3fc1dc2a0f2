import { list, object, text, word } from '../decode/shape.ts';
import type { ObjectShape } from '../decode/shape.ts';
import { namedId } from '../ids.ts';
import { isObject, listAt, textAt } from '../json.ts';
import type { JsonObject } from '../json.ts';
import type { Account } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { createBody, itemBody } from './body.ts';
import { checkItem, storedValue } from './item-values.ts';
import { listKinds } from './list.ts';

/** One list of an account in a seed: as in the body of its creation, with its items. */
export const listSeedShape: ObjectShape = object(
  {
    ...createBody.fields,
    id: text({ pattern: /^[0-9a-f]{32}$/u }),
    kind: word(...listKinds),
    items: list(itemBody),
  },
  { required: ['name', 'kind'] },
);

/** Stores the lists of an account's seed. Refuses an item that its list would not take. */
export function seedLists(
  store: Store,
  account: Account,
  { raw, time }: { readonly raw: JsonObject; readonly time: string },
): void {
  for (const seed of listAt(raw, 'lists').filter(isObject)) {
    const name = textAt(seed, 'name') ?? '';
    const kind = listKinds.find((word) => word === seed['kind']) ?? 'ip';
    const items = listAt(seed, 'items').filter(isObject);
    for (const [index, item] of items.entries()) {
      checkItem(kind, item, `/lists/${name}/items/${index}`);
    }
    const id = textAt(seed, 'id') ?? namedId('list', account.id, name);
    store.lists.set(id, {
      id,
      account: account.id,
      name,
      kind,
      description: textAt(seed, 'description') ?? '',
      created_on: time,
      modified_on: time,
      items: items.map((item, index) => ({
        id: namedId('list item', id, String(index)),
        value: storedValue(kind, item),
        comment: textAt(item, 'comment') ?? '',
        created_on: time,
        modified_on: time,
      })),
    });
  }
}
