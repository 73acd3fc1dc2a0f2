import type { ReadClient } from '../../api/index.ts';
import { isForbidden, listLists, orElse } from '../../api/index.ts';
import { itemsText, listItemValue } from '../../config/index.ts';
import type { FileNote } from '../../config/index.ts';
import type { JsonObject } from '../../data/index.ts';
import { NO_CACHE, readList } from '../../live/index.ts';
import type { RulesetCache } from '../../live/index.ts';
import { isItemAsWanted, listItemToWire, readListItem } from '../../model/index.ts';
import type { DesiredList, ListItem, ListKind, LiveList, Scope } from '../../model/index.ts';

/** The lists of an account as files declare them. */
export interface ImportedLists {
  /** What stands under `lists`. */
  readonly values: readonly JsonObject[];
  /** Files with items, by their paths. */
  readonly files: ReadonlyMap<string, string>;
  /** Why lists are left out. */
  readonly leftOut: readonly string[];
  /** Comments, with paths from the document. */
  readonly notes: readonly FileNote[];
}

export const NO_LISTS: ImportedLists = { values: [], files: new Map(), leftOut: [], notes: [] };

/** A list to declare: a live one, or one that somebody else fills. */
export interface DeclarableList extends Pick<LiveList, 'name' | 'kind' | 'description'> {
  readonly items: readonly { readonly item: ListItem }[] | 'external';
  /** Comments for the list: where it comes from, and what another tool's files say of it. */
  readonly above?: readonly string[];
}

/** Above this number, the items of a list get a file of their own. */
const MOST_INLINE = 50;

/** The lists of an account: those that an import is about with their items, and the names of the others. */
export interface DeclaredLiveLists {
  readonly lists: readonly LiveList[];
  readonly others: readonly string[];
}

/**
 * Reads the lists of an account; none for a zone, or where the token may not read them. Of an account whose files declare something, `declared` says
 * what, and only the items of declared lists are read unless `all` are asked for; there, lists that may not be read are an error if any is declared.
 */
export async function readAccountLists(
  client: ReadClient,
  scope: Scope,
  {
    cache = NO_CACHE,
    declared,
    all,
  }: {
    readonly cache?: Pick<RulesetCache, 'findItems' | 'keepItems'>;
    readonly declared: readonly DesiredList[];
    readonly all: boolean;
  },
): Promise<DeclaredLiveLists> {
  if (scope.kind !== 'account') {
    return { lists: [], others: [] };
  }
  const listed = listLists(client, scope.accountId);
  const heads = declared.length > 0 ? await listed : await orElse(listed, () => [], isForbidden);
  const external = new Set(declared.flatMap(({ name, items }) => (items === 'external' ? [name] : [])));
  const ours = new Set(declared.map(({ name }) => name));
  const lists: LiveList[] = [];
  for (const head of heads) {
    if (typeof head.kind !== 'string' || external.has(head.name) || !(all || ours.has(head.name))) {
      continue;
    }
    lists.push(await readList(client, scope, head, cache));
  }
  const known = new Set([...ours, ...lists.map(({ name }) => name)]);
  return {
    lists,
    others: heads.flatMap(({ name }) => (known.has(name) ? [] : [name])),
  };
}

/** Declares lists; those with an item that no file can say are left out. */
export function declareLists(lists: readonly DeclarableList[]): ImportedLists {
  const values: JsonObject[] = [];
  const files = new Map<string, string>();
  const leftOut: string[] = [];
  const notes: FileNote[] = [];
  for (const { name, kind, description, items, above = [] } of lists) {
    if (typeof kind !== 'string') {
      continue;
    }
    const head = { name, kind, ...(description === '' ? {} : { description }) };
    const own = items === 'external' ? [] : items.map(({ item }) => item);
    const odd = own.find((item) => !isSayable(kind, item));
    if (odd !== undefined) {
      leftOut.push(`list ${name}: a file cannot say its item ${JSON.stringify(odd)}`);
      continue;
    }
    const path = ['lists', values.length];
    notes.push(...above.map((text): FileNote => ({ path, text, place: 'before' })));
    if (items === 'external') {
      values.push({ ...head, items });
      continue;
    }
    const file = `lists/${name}.csv`;
    const isLong = own.length > MOST_INLINE;
    values.push({
      ...head,
      ...(isLong ? { items_from: file } : { items: own.map((item) => listItemValue(kind, item)) }),
    });
    if (isLong) {
      files.set(file, itemsText(kind, own));
    }
  }
  return { values, files, leftOut, notes };
}

/** Whether a file can say a live item. */
export function isSayable(kind: ListKind, item: ListItem): boolean {
  const reading = readListItem(kind, listItemToWire(item));
  return reading.kind === 'item' && isItemAsWanted(reading.item, item);
}
