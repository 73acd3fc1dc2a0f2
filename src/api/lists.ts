import type { ListKind } from '../model/index.ts';
import { decodeResult } from './response.ts';
import type { ReadClient } from './client.ts';
import { readByCursor } from './pages.ts';
import { listItemsPath, listsPath } from './paths.ts';
import { decodeAll, memberAt, membersAt, numberMember, objectAt, textMember } from './shape.ts';
import type { FieldReaders } from './shape.ts';

const decodeLists = decodeAll(decodeList);

/** Reads all lists of an account (api.md 9.8). */
export async function listLists(client: ReadClient, accountId: string): Promise<readonly List[]> {
  return decodeResult(await client.get(listsPath(accountId)), decodeLists);
}

/** Reads all items of a list. */
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

/** A list of an account (api.md 9.8). */
export interface List {
  readonly id: string;
  readonly name: string;
  /** A kind that this program does not know is passed on as it is. */
  readonly kind: ListKind | { readonly unknown: string };
}

/** The value of a list item that expressions compare with. Redirects have none: only the service uses them. */
export type ListItem =
  | { readonly kind: 'ip'; readonly ip: string }
  | { readonly kind: 'hostname'; readonly hostname: string }
  | { readonly kind: 'asn'; readonly asn: number }
  | { readonly kind: 'redirect' };

const KINDS: readonly ListKind[] = ['ip', 'redirect', 'hostname', 'asn'];

/**
 * Decodes a list. An unknown kind is no error, so that the other lists stay usable. Throws `api/unexpected-answer` with the JSON pointer to
 * what is wrong.
 */
function decodeList(list: FieldReaders): List {
  const word = textMember(list, 'kind');
  return {
    id: textMember(list, 'id'),
    name: textMember(list, 'name'),
    kind: KINDS.find((each) => each === word) ?? { unknown: word },
  };
}

/** Decodes an item; the member that it has determines its kind. */
function decodeListItem(item: FieldReaders): ListItem {
  if (item.object['ip'] !== undefined) {
    return { kind: 'ip', ip: textMember(item, 'ip') };
  }
  if (item.object['asn'] !== undefined) {
    return { kind: 'asn', asn: numberMember(item, 'asn') };
  }
  if (item.object['hostname'] !== undefined) {
    return { kind: 'hostname', hostname: textMember(membersAt(memberAt(item, 'hostname')), 'url_hostname') };
  }
  objectAt(memberAt(item, 'redirect'));
  return { kind: 'redirect' };
}
