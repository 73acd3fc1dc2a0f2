import type { JsonValue } from '../../data/index.ts';
import {
  hasAllItems,
  isItemAsWanted,
  LIST_ITEM_FIELDS,
  listItemKey,
  readListItem,
} from '../../model/index.ts';
import type { ListItem, ListKind } from '../../model/index.ts';
import { sourceText } from '../source/source-text.ts';
import type { SourceText } from '../source/source-text.ts';
import { readItemsFile } from './items-file.ts';

/** Returns an item as it stands in a list: what identifies it alone, unless there is more to say. */
export function listItemValue(kind: ListKind, item: ListItem): JsonValue {
  const fields = cells(item);
  const [key] = LIST_ITEM_FIELDS[kind];
  const [only, ...more] = Object.entries(fields);
  return only !== undefined && more.length === 0 && only[0] === key ? only[1] : fields;
}

/** Returns items as CSV, with a header row of the fields that any of them has. */
export function itemsText(kind: ListKind, items: readonly ListItem[]): string {
  const rows = items.map(cells);
  const [key, ...others] = LIST_ITEM_FIELDS[kind];
  const fields = [key, ...others.filter((field) => rows.some((row) => row[field] !== undefined))];
  return `${[fields.join(','), ...items.map((item) => csvRow(fields, item))].join('\n')}\n`;
}

/** Returns the sound items of a file of items. */
export function itemsIn(source: SourceText, kind: ListKind): readonly ListItem[] {
  return soundItems(kind, readItemsFile(source, kind).values);
}

/** Returns the sound ones of the items that a file spells. */
export function soundItems(kind: ListKind, values: readonly JsonValue[]): readonly ListItem[] {
  return values.flatMap((value) => {
    const reading = readListItem(kind, value);
    return reading.kind === 'item' ? [reading.item] : [];
  });
}

/** What becomes of the items that a file spells: each stays as it is written, goes, or is written anew; others are added. */
interface FollowedItems {
  readonly each: readonly ('stays' | 'goes' | ListItem)[];
  readonly added: readonly ListItem[];
}

/** Returns what becomes of the items that a file spells when it is to have these. */
export function followItems(
  kind: ListKind,
  values: readonly JsonValue[],
  items: readonly ListItem[],
): FollowedItems {
  const left = new Map(items.map((item) => [listItemKey(item), item]));
  const each = values.map((value) => {
    const reading = readListItem(kind, value);
    const key = reading.kind === 'item' ? listItemKey(reading.item) : '';
    const wanted = left.get(key);
    left.delete(key);
    return reading.kind !== 'item' || wanted === undefined
      ? 'goes'
      : isItemAsWanted(reading.item, wanted)
        ? 'stays'
        : wanted;
  });
  return { each, added: [...left.values()] };
}

/**
 * Returns a file of items that has these. Lines of items that stay keep their bytes and places, as do comments; new items come last. Where the file
 * cannot say an item so, such as one value on each line a comment, it is written anew as CSV, below the comments at its head.
 */
export function editedItemsFile(source: SourceText, kind: ListKind, items: readonly ListItem[]): string {
  const text = byLines(source, kind, items);
  if (text !== undefined && says(itemsIn(sourceText(source.path, text), kind), items)) {
    return text;
  }
  const lines = source.text.split('\n');
  const body = lines.findIndex((line) => line.trim() !== '' && !line.startsWith('#'));
  const head = lines.slice(0, body === -1 ? lines.length : body).join('\n');
  return `${head === '' ? '' : `${head.trimEnd()}\n`}${itemsText(kind, items)}`;
}

function byLines(source: SourceText, kind: ListKind, items: readonly ListItem[]): string | undefined {
  const { values, fields, where, diagnostics } = readItemsFile(source, kind);
  if (diagnostics.length > 0) {
    return undefined;
  }
  const end = source.text.includes('\r\n') ? '\r' : '';
  const rowOf = (item: ListItem): string =>
    (fields === null ? listItemKey(item) : csvRow(fields, item)) + end;
  const { each, added } = followItems(kind, values, items);
  const lines: (string | null)[] = source.text.split('\n');
  for (const [index, what] of each.entries()) {
    if (what !== 'stays') {
      lines[where(index).start.line - 1] = what === 'goes' ? null : rowOf(what);
    }
  }
  const kept = lines.filter((line) => line !== null);
  const isEnded = kept.at(-1) === '';
  return [...(isEnded ? kept.slice(0, -1) : kept), ...added.map(rowOf), ''].join('\n');
}

function says(own: readonly ListItem[], items: readonly ListItem[]): boolean {
  const keys = new Set(own.map(listItemKey));
  return keys.size === items.length && own.length === items.length && hasAllItems(items, own);
}

type Cells = Readonly<Record<string, string | number | boolean>>;

function cells(item: ListItem): Cells {
  const { status_code: status, ...rest } = { status_code: 301, ...item };
  return 'source_url' in item && status !== 301 ? { ...rest, status_code: status } : rest;
}

/** In a column of its own, a status is said even where it is the usual one. */
function csvRow(fields: readonly string[], item: ListItem): string {
  const row: Cells = 'source_url' in item ? { ...item } : cells(item);
  return fields.map((field) => csvCell(String(row[field] ?? ''))).join(',');
}

function csvCell(text: string): string {
  return /[",\r\n]|^\s|\s$|^#/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
