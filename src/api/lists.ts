import { accept } from './accept.ts';
import type { ReadClient, WriteClient } from './client.ts';
import type { Clock } from './clock.ts';
import type { List, ListItem, ListOperation } from './decode-list.ts';
import { decodeList, decodeListItem, decodeListOperation, decodeOperationId } from './decode-list.ts';
import { decodeAll, decodeDeleted, decodeSingle } from './decode-zone-objects.ts';
import type { CreateList, ListItemContent } from './list-requests.ts';
import {
  addListItemsRequest,
  createListRequest,
  deleteListItemsRequest,
  deleteListRequest,
  replaceListItemsRequest,
  updateListRequest,
} from './list-requests.ts';
import { readByCursor } from './pages.ts';
import { listItemPath, listItemsPath, listOperationPath, listPath, listsPath } from './paths.ts';
import type { WriteRequest } from './request.ts';

const decodeLists = decodeAll(decodeList);
const decodeOne = decodeSingle(decodeList);

/** All lists of an account (api.md 9.8). */
export async function listLists(client: ReadClient, accountId: string): Promise<readonly List[]> {
  return accept(await client.get(listsPath(accountId)), decodeLists);
}

/** One list, without its items. */
export async function getList(client: ReadClient, accountId: string, listId: string): Promise<List> {
  return accept(await client.get(listPath(accountId, listId)), decodeOne);
}

/** Makes a list without items. */
export async function createList(client: WriteClient, accountId: string, body: CreateList): Promise<List> {
  return accept(await client.send(createListRequest(accountId, body)), decodeOne);
}

/** Changes the description of a list: nothing else of it can change. */
export async function updateList(
  client: WriteClient,
  accountId: string,
  listId: string,
  description: string,
): Promise<List> {
  return accept(await client.send(updateListRequest(accountId, listId, description)), decodeOne);
}

/** Deletes a list with its items; refused while a rule names it. */
export async function deleteList(client: WriteClient, accountId: string, listId: string): Promise<void> {
  accept(await client.send(deleteListRequest(accountId, listId)), decodeDeleted([listId]));
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

/** One item of a list. */
export async function getListItem(
  client: ReadClient,
  accountId: string,
  listId: string,
  itemId: string,
): Promise<ListItem> {
  return accept(await client.get(listItemPath(accountId, listId, itemId)), decodeSingle(decodeListItem));
}

/** Adds items. The answer is the id of the operation that does it in its own time. */
export function addListItems(
  client: WriteClient,
  accountId: string,
  listId: string,
  items: readonly ListItemContent[],
): Promise<string> {
  return started(client, addListItemsRequest(accountId, listId, items));
}

/** Puts these items in the place of all others, as `addListItems` does. */
export function replaceListItems(
  client: WriteClient,
  accountId: string,
  listId: string,
  items: readonly ListItemContent[],
): Promise<string> {
  return started(client, replaceListItemsRequest(accountId, listId, items));
}

/** Deletes items by id, as `addListItems` does. */
export function deleteListItems(
  client: WriteClient,
  accountId: string,
  listId: string,
  ids: readonly string[],
): Promise<string> {
  return started(client, deleteListItemsRequest(accountId, listId, ids));
}

/** How far an operation is. */
export async function getListOperation(
  client: ReadClient,
  accountId: string,
  operationId: string,
): Promise<ListOperation> {
  return accept(
    await client.get(listOperationPath(accountId, operationId)),
    decodeSingle(decodeListOperation),
  );
}

/** How an operation is waited for. */
export interface WaitOptions {
  readonly clock: Clock;
  /** Milliseconds between two looks (default 1,000). */
  readonly interval?: number;
  readonly signal?: AbortSignal;
}

/** Waits until an operation is over; the answer is `completed` or `failed`. */
export async function awaitListOperation(
  client: ReadClient,
  accountId: string,
  operationId: string,
  { clock, interval = 1000, signal }: WaitOptions,
): Promise<ListOperation> {
  for (;;) {
    const operation = await getListOperation(client, accountId, operationId);
    if (operation.status === 'completed' || operation.status === 'failed') {
      return operation;
    }
    await clock.sleep(interval, signal);
  }
}

async function started(client: WriteClient, request: WriteRequest): Promise<string> {
  return accept(await client.send(request), decodeSingle(decodeOperationId));
}
