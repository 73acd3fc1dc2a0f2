import { list, object, text } from '../decode/body-shape.ts';
import type { ValueOf } from '../decode/body-shape.ts';
import { namedId } from '../environment/service-clock.ts';
import { refuse } from '../protocol/refusal.ts';
import type { Account } from '../records/directory-record.ts';
import type { Store } from '../store/store.ts';
import { createFields, itemBody, checkItem, storedValue } from './list-values.ts';

/** One list of an account in a seed: the body of its creation, with its id and items. */
export const listSeedShape = object(
  {
    ...createFields,
    id: text({ pattern: /^[0-9a-f]{32}$/u }),
    items: list(itemBody),
  },
  { required: ['name', 'kind'] },
);

/**
 * Stores the lists of an account's seed. Refuses two lists of one name, an id that another list has, and an item that
 * its list would not accept. Quotas do not count: a plan may have been larger when the lists were made.
 */
export function seedLists(
  store: Store,
  account: Account,
  lists: readonly ValueOf<typeof listSeedShape>[],
  time: string,
): void {
  for (const seed of lists) {
    const { name, kind, description = '', items = [] } = seed;
    for (const [index, item] of items.entries()) {
      checkItem(kind, item, `/lists/${name}/items/${index}`);
    }
    const id = seed.id ?? namedId('list', account.id, name);
    if (store.lists.group(account.id).some((other) => other.name === name)) {
      throw refuse(400, `two lists ${name}`);
    }
    const twin = store.lists.get(id);
    if (twin !== undefined) {
      throw refuse(400, `the lists ${twin.name} and ${name} have the id ${id}`);
    }
    store.lists.set(id, {
      id,
      account: account.id,
      name,
      kind,
      description,
      created_on: time,
      modified_on: time,
      items: items.map((item, index) => ({
        id: namedId('list item', id, String(index)),
        value: storedValue(kind, item),
        comment: item.comment ?? '',
        created_on: time,
        modified_on: time,
      })),
    });
  }
}
