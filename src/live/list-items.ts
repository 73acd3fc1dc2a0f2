import type { ReadClient } from '../api/client.ts';
import type { ListItem } from '../api/lists.ts';
import { listListItems, listLists } from '../api/lists.ts';
import { isForbidden } from '../api/service-error.ts';

/** What is in lists of an account, by name. Those that are not there, of an unknown kind, or that the token may not read are left out. */
export async function readListItems(
  client: ReadClient,
  accountId: string,
  names: ReadonlySet<string>,
): Promise<Readonly<Record<string, readonly (string | number)[]>>> {
  if (names.size === 0) {
    return {};
  }
  try {
    const lists = (await listLists(client, accountId)).filter(
      ({ name, kind }) => names.has(name) && typeof kind === 'string',
    );
    const read = await Promise.all(
      lists.map(async ({ id, name }) => {
        const items = await listListItems(client, accountId, id);
        return [name, items.flatMap(valueOf)] as const;
      }),
    );
    return Object.fromEntries(read);
  } catch (error) {
    if (isForbidden(error)) {
      return {};
    }
    throw error;
  }
}

/** What an expression compares with; redirects are looked up by the service alone. */
function valueOf(item: ListItem): readonly (string | number)[] {
  switch (item.kind) {
    case 'ip':
      return [item.ip];
    case 'asn':
      return [item.asn];
    case 'hostname':
      return [item.hostname];
    case 'redirect':
      return [];
    default:
      return item satisfies never;
  }
}
