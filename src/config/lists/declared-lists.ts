import { isJsonObject, listOf, repeatsOf } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import {
  LIST_ITEM_FIELDS,
  LIST_KINDS,
  formatPlace,
  listItemKey,
  readListItem,
  startOf,
} from '../../model/index.ts';
import type { DesiredList, Diagnostic, ListItem, ListKind, SourceSpan } from '../../model/index.ts';
import type { ReadSource } from '../project/read-source.ts';
import type { ScopeFile } from '../project/scope-file.ts';
import { finding } from '../source/finding.ts';
import type { SourceText } from '../source/source-text.ts';
import { locateValue } from '../yaml/yaml-document.ts';
import { readItemsFile } from './items-file.ts';

/** A list as a file declares it, before a file of its items is read. */
export interface DeclaredList {
  readonly name: string;
  readonly where: SourceSpan;
  readonly desired: DesiredList;
  /** The file that its items come from. */
  readonly from?: { readonly path: string; readonly where: SourceSpan };
}

/** The lists of a file, with what is wrong with items that stand in it. */
export interface DeclaredLists {
  readonly lists: readonly DeclaredList[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Takes the lists out of a file. What its schema refuses is left out. */
export function declaredLists({ document, value }: Pick<ScopeFile, 'document' | 'value'>): DeclaredLists {
  const diagnostics: Diagnostic[] = [];
  const lists = listOf(value['lists']).flatMap((body, index): readonly DeclaredList[] => {
    const path = ['lists', index];
    const { name } = isJsonObject(body) ? body : {};
    const kind = isJsonObject(body) ? LIST_KINDS.find((one) => one === body['kind']) : undefined;
    if (!isJsonObject(body) || typeof name !== 'string' || kind === undefined) {
      return [];
    }
    const where = locateValue(document, [...path, 'name']);
    // A place costs a walk through the text, so only those of refused items are looked up.
    const values = listOf(body['items']).map((value, at) => ({ value, at }));
    const sound = values.filter(({ value }) => fitsSchema(value));
    const read = readItems(
      kind,
      sound.map(({ value }) => value),
      (index) => locateValue(document, [...path, 'items', sound[index]?.at ?? 0]),
    );
    diagnostics.push(...read.diagnostics);
    const { items_from: from } = body;
    return [
      {
        name,
        where,
        desired: desiredList(body, { name, kind, items: read.items, where }),
        ...(typeof from === 'string'
          ? { from: { path: from, where: locateValue(document, [...path, 'items_from']) } }
          : {}),
      },
    ];
  });
  return { lists, diagnostics };
}

/** Whether the schema takes an item of any kind: what it refuses is told by it, and once is enough. */
function fitsSchema(value: JsonValue): boolean {
  const isText = (one: JsonValue): boolean => typeof one === 'string';
  const isWhole = (one: JsonValue): boolean => Number.isInteger(one);
  const isFlag = (one: JsonValue): boolean => typeof one === 'boolean';
  return isJsonObject(value)
    ? Object.entries(value).every(([name, one]) =>
        name === 'asn' || name === 'status_code' ? isWhole(one) : FLAGS.has(name) ? isFlag(one) : isText(one),
      )
    : isText(value) || isWhole(value);
}

const FLAGS: ReadonlySet<string> = new Set([
  'exclude_exact_hostname',
  'include_subdomains',
  'subpath_matching',
  'preserve_query_string',
  'preserve_path_suffix',
]);

function desiredList(
  body: JsonObject,
  { name, kind, items, where }: Pick<DesiredList, 'name' | 'kind' | 'items'> & { readonly where: SourceSpan },
): DesiredList {
  const { description, absent } = body;
  return {
    name,
    kind,
    presence: absent === true ? 'absent' : 'present',
    ...(typeof description === 'string' ? { description } : {}),
    items: body['items'] === 'external' ? 'external' : items,
    cause: startOf(where),
  };
}

/** Fills lists from their files, which `read` reads by their paths from the project folder. */
export async function fillLists(
  lists: readonly DeclaredList[],
  { folder, read }: { readonly folder: string; readonly read: (path: string) => Promise<ReadSource> },
): Promise<DeclaredLists & { readonly sources: readonly SourceText[] }> {
  const filled = await Promise.all(
    lists.map(async (list) => {
      if (list.from === undefined) {
        return { list, diagnostics: [], sources: [] };
      }
      const { path, where } = list.from;
      const source = await firstRead([path, ...(folder === '' ? [] : [`${folder}/${path}`])], read);
      if (source.kind === 'unread') {
        return { list, diagnostics: [unread(path, source.diagnostic, where)], sources: [] };
      }
      const { items, diagnostics } = readTheFile(source.source, list.desired.kind);
      return {
        list: { ...list, desired: { ...list.desired, items } },
        diagnostics,
        sources: [source.source],
      };
    }),
  );
  return {
    lists: filled.map(({ list }) => list),
    diagnostics: filled.flatMap(({ diagnostics }) => diagnostics),
    sources: filled.flatMap(({ sources }) => sources),
  };
}

/** Reads the first path at which there is a file: paths count from the project folder, or else from the folder of the file that names them. */
async function firstRead(
  [path = '', ...others]: readonly string[],
  read: (path: string) => Promise<ReadSource>,
): Promise<ReadSource> {
  const source = await read(path);
  const other = source.kind === 'unread' && others.length > 0 ? await firstRead(others, read) : source;
  return other.kind === 'read' ? other : source;
}

function unread(path: string, { message, hint }: Diagnostic, where: SourceSpan): Diagnostic {
  return finding('list/items-file', {
    message: /\bENOENT\b/u.test(message)
      ? `there is no file ${path}`
      : `the items cannot be read from ${path}: ${message}`,
    hint: `a path counts from the project folder, or else from the folder of this file${hint === undefined ? '' : `; ${hint}`}`,
    where,
  });
}

function readTheFile(source: SourceText, kind: ListKind) {
  const { values, where, diagnostics } = readItemsFile(source, kind);
  const read = readItems(kind, values, where);
  return { items: read.items, diagnostics: [...diagnostics, ...read.diagnostics] };
}

/** Reads items into their canonical form; reports those that the service would refuse, and those that stand twice in any spelling. */
function readItems(
  kind: ListKind,
  values: readonly JsonValue[],
  where: (at: number) => SourceSpan,
): { readonly items: readonly ListItem[]; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const read: { readonly item: ListItem; readonly at: number }[] = [];
  values.forEach((value, at) => {
    const reading = withVariable(value) ?? strange(kind, value) ?? readListItem(kind, value);
    if (reading.kind === 'item') {
      read.push({ item: reading.item, at });
    } else {
      const { message, hint } = reading;
      diagnostics.push(finding('list/item', { message, hint, where: where(at) }));
    }
  });
  const { repeats } = repeatsOf(read, ({ item }) => listItemKey(item));
  for (const { item, first } of repeats) {
    diagnostics.push(
      finding('list/item-twice', {
        message: `${listItemKey(item.item)} stands in the list twice`,
        hint: `the first is at ${formatPlace(where(first.at))}; keep one of them`,
        where: where(item.at),
      }),
    );
  }
  return { items: read.map(({ item }) => item), diagnostics };
}

/** What a variable looks like, which is not filled in here: a secret would be written as its name, or show in plans. */
const VARIABLE = /\$\{\s*[A-Za-z_]\w*\s*\}/u;

function withVariable(value: JsonValue) {
  const text = (isJsonObject(value) ? Object.values(value) : [value]).find(
    (one) => typeof one === 'string' && VARIABLE.test(one),
  );
  return text === undefined
    ? null
    : ({
        kind: 'refused',
        message: `variables are not filled in in items of lists: ${JSON.stringify(text)}`,
        hint: 'write the value itself',
      } as const);
}

/** Refuses a field that items of the kind do not have, but those of another kind do. */
function strange(kind: ListKind, value: JsonValue) {
  const fields: readonly string[] = LIST_ITEM_FIELDS[kind];
  const odd = isJsonObject(value) ? Object.keys(value).find((name) => !fields.includes(name)) : undefined;
  return odd === undefined
    ? null
    : ({
        kind: 'refused',
        message: `an item of a list of kind ${kind} has no \`${odd}\``,
        hint: `its fields are ${fields.join(', ')}`,
      } as const);
}
