import { accept } from './accept.ts';
import type { ReadClient } from './client.ts';
import type { List, ListItem } from './decode-list.ts';
import { decodeList, decodeListItem } from './decode-list.ts';
import { readByCursor } from './pages.ts';
import { listItemsPath, listsPath } from './paths.ts';
import { decodeAll } from './shape.ts';

const decodeLists = decodeAll(decodeList);

/** All lists of an account (api.md 9.8). */
export async function listLists(client: ReadClient, accountId: string): Promise<readonly List[]> {
  return accept(await client.get(listsPath(accountId)), decodeLists);
}

/** All items of a list. */
export function listListItems(
  client: ReadClient,
  accountId: string,
  listId: string,
): Promise<readonly ListItem[]> {
  return readByCursor(client, listItemsPath(accountId, listId), {
    perPage: 500,
    decode: decodeAll(decodeListItem),
  });
}
