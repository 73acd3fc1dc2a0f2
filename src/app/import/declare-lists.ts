import type { ReadClient } from '../../api/index.ts';
import { isForbidden, listLists, orElse } from '../../api/index.ts';
import type { FileNote } from '../../config/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { NO_CACHE, readList } from '../../live/index.ts';
import type { RulesetCache } from '../../live/index.ts';
import { isItemAsWanted, LIST_ITEM_FIELDS, listItemToWire, readListItem } from '../../model/index.ts';
import type { ListItem, ListKind, LiveList, Scope } from '../../model/index.ts';

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
  /** A comment for the list: where it comes from. */
  readonly provenance?: string;
}

/** Above this number, the items of a list get a file of their own. */
const MOST_INLINE = 50;

/** Reads all lists of an account with their items; none where the token may not read them, or for a zone. */
export async function readAccountLists(
  client: ReadClient,
  scope: Scope,
  cache: RulesetCache = NO_CACHE,
): Promise<readonly LiveList[]> {
  if (scope.kind !== 'account') {
    return [];
  }
  const heads = await orElse(listLists(client, scope.accountId), () => [], isForbidden);
  const lists: LiveList[] = [];
  for (const head of heads.filter(({ kind }) => typeof kind === 'string')) {
    lists.push(await readList(client, scope, head, cache));
  }
  return lists;
}

/** Declares lists; those with an item that no file can say are left out. */
export function declareLists(lists: readonly DeclarableList[]): ImportedLists {
  const values: JsonObject[] = [];
  const files = new Map<string, string>();
  const leftOut: string[] = [];
  const notes: FileNote[] = [];
  for (const { name, kind, description, items, provenance } of lists) {
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
    if (provenance !== undefined) {
      notes.push({ path: ['lists', values.length], text: provenance, place: 'before' });
    }
    if (items === 'external') {
      values.push({ ...head, items });
      continue;
    }
    const path = `lists/${name}.csv`;
    const isLong = own.length > MOST_INLINE;
    values.push({
      ...head,
      ...(isLong ? { items_from: path } : { items: own.map((item) => itemValue(kind, item)) }),
    });
    if (isLong) {
      files.set(path, csvText(kind, own));
    }
  }
  return { values, files, leftOut, notes };
}

function isSayable(kind: ListKind, item: ListItem): boolean {
  const reading = readListItem(kind, listItemToWire(item));
  return reading.kind === 'item' && isItemAsWanted(reading.item, item);
}

/** Returns an item as it stands in a list: what identifies it alone, unless there is more to say. */
function itemValue(kind: ListKind, item: ListItem): JsonValue {
  const fields = cells(item);
  const [key] = LIST_ITEM_FIELDS[kind];
  const [only, ...more] = Object.entries(fields);
  return only !== undefined && more.length === 0 && only[0] === key ? only[1] : fields;
}

function cells(item: ListItem): Readonly<Record<string, string | number | boolean>> {
  const { status_code: status, ...rest } = { status_code: 301, ...item };
  return 'source_url' in item && status !== 301 ? { ...rest, status_code: status } : rest;
}

/** Returns items as CSV, with a header row of the fields that any of them has. */
function csvText(kind: ListKind, items: readonly ListItem[]): string {
  const rows = items.map(cells);
  const fields = LIST_ITEM_FIELDS[kind].filter((field) => rows.some((row) => row[field] !== undefined));
  const lines = [fields, ...rows.map((row) => fields.map((field) => String(row[field] ?? '')))];
  return `${lines.map((line) => line.map(csvCell).join(',')).join('\n')}\n`;
}

function csvCell(text: string): string {
  return /[",\r\n]|^\s|\s$|^#/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
