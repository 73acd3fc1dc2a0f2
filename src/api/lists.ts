import type { ListItem, ListKind, LiveListHead, LiveListItem } from '../model/index.ts';
import { LIST_KINDS, listItemToWire, liveListItem } from '../model/index.ts';
import type { ReadClient } from './client.ts';
import { readByCursor } from './pages.ts';
import { bulkOperationPath, listItemsPath, listPath, listsPath } from './paths.ts';
import type { WriteRequest } from './request.ts';
import { decodeResult } from './response.ts';
import type { FieldReaders } from './answer-shape.ts';
import { decodeAll, decodeOne, numberMember, optionalText, textMember, unexpected } from './answer-shape.ts';

const decodeHeads = decodeAll(decodeHead);

/** Lists all lists of an account, without their items (api.md 9.8). */
export async function listLists(client: ReadClient, accountId: string): Promise<readonly LiveListHead[]> {
  return decodeResult(await client.get(listsPath(accountId)), decodeHeads);
}

/** Reads one list without its items. */
export async function getList(client: ReadClient, accountId: string, listId: string): Promise<LiveListHead> {
  return decodeResult(await client.get(listPath(accountId, listId)), decodeOne(decodeHead));
}

/** Reads all items of a list; none of one whose kind is not known here. */
export async function listListItems(
  client: ReadClient,
  accountId: string,
  { id, kind }: Pick<LiveListHead, 'id' | 'kind'>,
): Promise<readonly LiveListItem[]> {
  return typeof kind === 'string'
    ? readByCursor(client, listItemsPath(accountId, id), {
        perPage: 500,
        // A list has up to 1,000,000 redirects (api.md 9).
        mostPages: 2200,
        decode: decodeItems(kind),
      })
    : [];
}

/** How a bulk operation stands. */
type BulkOperation =
  | { readonly kind: 'under-way' }
  | { readonly kind: 'completed' }
  | { readonly kind: 'failed'; readonly error: string };

/** Asks how a bulk operation stands. */
export async function getBulkOperation(
  client: ReadClient,
  accountId: string,
  operationId: string,
): Promise<BulkOperation> {
  const response = await client.get(bulkOperationPath(accountId, operationId), { insist: true });
  return decodeResult(response, decodeOne(decodeOperation));
}

/** POST of a list without items; its name and kind never change. */
export function createListRequest(
  accountId: string,
  body: { readonly name: string; readonly kind: ListKind; readonly description: string },
): WriteRequest {
  return { method: 'POST', path: listsPath(accountId), body };
}

/** PUT of a list's description. */
export function describeListRequest(accountId: string, listId: string, description: string): WriteRequest {
  return { method: 'PUT', path: listPath(accountId, listId), body: { description } };
}

/** DELETE of a list with its items; the service refuses it while a rule names the list. */
export function deleteListRequest(accountId: string, listId: string): WriteRequest {
  return { method: 'DELETE', path: listPath(accountId, listId) };
}

/** POST (adds; an item of the same key is overwritten) or PUT (replaces all, also those that stay) of items. */
export function putItemsRequest(
  at: { readonly accountId: string; readonly listId: string },
  items: readonly ListItem[],
  method: 'POST' | 'PUT',
): WriteRequest {
  const path = listItemsPath(at.accountId, at.listId);
  return { method, path, body: items.map(listItemToWire), ...(method === 'PUT' ? { once: true } : {}) };
}

/** DELETE of items by their ids. */
export function deleteItemsRequest(
  at: { readonly accountId: string; readonly listId: string },
  ids: readonly string[],
): WriteRequest {
  return {
    method: 'DELETE',
    path: listItemsPath(at.accountId, at.listId),
    body: { items: ids.map((id) => ({ id })) },
  };
}

/** Decodes the answer of a write of items: the id of the operation that carries it out. */
export const decodeOperationId = decodeOne((answer) => textMember(answer, 'operation_id'));

/** Decodes the answer of a write of a list. */
export const decodeListHead = decodeOne(decodeHead);

/**
 * Decodes a list. An unknown kind is no error, so that the other lists stay usable. Throws `api/unexpected-answer` with the JSON pointer to
 * what is wrong.
 */
function decodeHead(list: FieldReaders): LiveListHead {
  const word = textMember(list, 'kind');
  return {
    id: textMember(list, 'id'),
    name: textMember(list, 'name'),
    kind: LIST_KINDS.find((each) => each === word) ?? { unknown: word },
    description: optionalText(list, 'description') ?? '',
    modifiedOn: optionalText(list, 'modified_on') ?? '',
    itemCount: numberMember(list, 'num_items'),
    referenceCount:
      typeof list.object['num_referencing_filters'] === 'number'
        ? list.object['num_referencing_filters']
        : null,
  };
}

function decodeItems(kind: ListKind): (result: unknown) => readonly LiveListItem[] {
  return decodeAll((item) => {
    const read = liveListItem(kind, item.object);
    if (read === null) {
      throw unexpected(item.pointer, `should be an item of a list of kind ${kind}`);
    }
    return { id: textMember(item, 'id'), item: read };
  });
}

function decodeOperation(operation: FieldReaders): BulkOperation {
  const status = textMember(operation, 'status');
  switch (status) {
    case 'pending':
    case 'running':
      return { kind: 'under-way' };
    case 'completed':
      return { kind: 'completed' };
    case 'failed':
      return { kind: 'failed', error: optionalText(operation, 'error') ?? 'the service gives no reason' };
    default:
      throw unexpected(`${operation.pointer}/status`, `is ${status}, which is not known here`);
  }
}
