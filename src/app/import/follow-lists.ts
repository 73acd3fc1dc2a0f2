import {
  editedItemsFile,
  followItems,
  itemsIn,
  listItemValue,
  soundItems,
  sourceText,
} from '../../config/index.ts';
import type { SourceText } from '../../config/index.ts';
import { isJsonObject, listOf, objectOf, textOf } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { causeText, hasAllItems } from '../../model/index.ts';
import type { DesiredList, ListItem, ListKind, LiveList } from '../../model/index.ts';
import { compareItems } from '../../plan/index.ts';
import { isSayable } from './declare-lists.ts';
import type { ObjectsFollowed } from './objects-followed.ts';
import { nothingFollowed, scopeValueIn } from './objects-followed.ts';

/** What the lists of a file are compared with. */
export interface ListsAround {
  /** What the file is called. */
  readonly file: string;
  readonly desired: readonly DesiredList[];
  /** The live lists, with their items where the files declare them. */
  readonly live: readonly LiveList[];
  /** Reads the file that a list takes its items from; null where there is none. */
  readonly itemsFile: (path: string) => Promise<SourceText | null>;
}

/** Returns what becomes of the lists of a file, one by one: its member `lists` says what is live. */
export async function followLists(value: JsonObject, around: ListsAround): Promise<ObjectsFollowed> {
  const followed = nothingFollowed();
  const next: JsonValue[] = [];
  for (const body of listOf(value['lists'])) {
    next.push(...(await followList(objectOf(body), followed, around)));
  }
  followed.members.set('lists', next.length === 0 ? undefined : next);
  return followed;
}

/** Returns the list as the file is to say it; nothing where it goes. */
async function followList(
  body: JsonObject,
  followed: ObjectsFollowed,
  { file, desired, live, itemsFile }: ListsAround,
): Promise<readonly JsonValue[]> {
  const name = textOf(body['name']);
  const declared = desired.find((one) => one.name === name);
  const found = live.find((one) => one.name === name);
  const stays = (reason: string): readonly JsonValue[] => {
    followed.kept.push(`list ${name}: ${reason}`);
    return [body];
  };
  if (declared === undefined || declared.items === 'external') {
    return [body];
  }
  if (declared.presence === 'absent') {
    return found === undefined ? [body] : stays('the files say that it is deleted, but it is live');
  }
  const { items, kind, description, cause } = declared;
  const place = causeText(cause);
  const from = body['items_from'];
  if (found === undefined) {
    followed.names.add(name);
    followed.removed.push(
      `list ${name} (${place}) is not live${typeof from === 'string' ? `; nothing names ${from} any more` : ''}`,
    );
    followed.replaced.push({
      kind: 'object',
      file,
      name: `list ${name} (${place})`,
      isIn: hasList(name, kind, items),
    });
    return [];
  }
  if (found.kind !== kind) {
    return stays(
      `it has another kind live: ${typeof found.kind === 'string' ? found.kind : found.kind.unknown}`,
    );
  }
  const { add, change, remove } = compareItems(items, found.items);
  const isDescribed = description === undefined || description === found.description;
  // The plan goes from live to the files, and the files follow live: what it would remove comes, and what it would add goes.
  if (isDescribed && add.length + change.length + remove.length === 0) {
    return [body];
  }
  const odd = found.items.find(({ item }) => !isSayable(kind, item));
  if (odd !== undefined) {
    return stays(`a file cannot say its live item ${JSON.stringify(odd.item)}`);
  }
  const gone = [...add, ...change.map(({ after }) => after)];
  const head = isDescribed ? body : { ...body, description: found.description };
  if (gone.length > 0 && from === undefined) {
    followed.replaced.push({
      kind: 'object',
      file,
      name: `items of list ${name} (${place})`,
      isIn: hasList(name, kind, gone),
    });
  }
  if (!isDescribed) {
    followed.replaced.push({
      kind: 'object',
      file,
      name: `the description of list ${name} (${place})`,
      isIn: (text) => listsOf(text).some((one) => one['name'] === name && one['description'] === description),
    });
  }
  const wanted = found.items.map(({ item }) => item);
  if (typeof from !== 'string') {
    followed.names.add(name);
    return [{ ...head, items: inlineItems(kind, listOf(body['items']), wanted) }];
  }
  const source = await itemsFile(from);
  if (source === null) {
    return stays(`${from} cannot be read`);
  }
  followed.names.add(name);
  const text = editedItemsFile(source, kind, wanted);
  if (text !== source.text) {
    followed.texts.set(source.path, text);
    const isIn = (saved: string): boolean => hasAllItems(itemsIn(sourceText(source.path, saved), kind), gone);
    followed.replaced.push(
      ...(gone.length === 0
        ? []
        : [
            {
              kind: 'object' as const,
              file: source.path,
              name: `items of ${source.path}`,
              isIn,
            },
          ]),
    );
  }
  return [head];
}

/** Returns the live items with those that the file has already in its order and spelling. */
function inlineItems(
  kind: ListKind,
  values: readonly JsonValue[],
  live: readonly ListItem[],
): readonly JsonValue[] {
  const { each, added } = followItems(kind, values, live);
  const stays = values.flatMap((value, index): readonly JsonValue[] => {
    const what = each[index] ?? 'goes';
    return what === 'goes' ? [] : [what === 'stays' ? value : listItemValue(kind, what)];
  });
  return [...stays, ...added.map((item) => listItemValue(kind, item))];
}

function hasList(name: string, kind: ListKind, items: readonly ListItem[]): (text: string) => boolean {
  return (text) =>
    listsOf(text).some(
      (one) =>
        one['name'] === name &&
        (one['items_from'] !== undefined || hasAllItems(soundItems(kind, listOf(one['items'])), items)),
    );
}

function listsOf(text: string): readonly JsonObject[] {
  return listOf(scopeValueIn(text)['lists']).filter(isJsonObject);
}
