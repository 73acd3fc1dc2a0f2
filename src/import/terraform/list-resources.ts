import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isJsonArray, isJsonObject, objectsIn, textOf } from '../../data/index.ts';
import { isId, LIST_KINDS, readListItem } from '../../model/index.ts';
import type { ListItem, ListKind } from '../../model/index.ts';
import type { StatedAddress } from './address.ts';
import { markedValues } from './marked-texts.ts';
import type { TerraformInstance } from './read-state.ts';

/** A list as a state has it, with its items wherever they stand. */
export interface StatedList {
  readonly address: StatedAddress;
  readonly accountId: string;
  readonly id: string;
  readonly name: string;
  readonly kind: ListKind;
  readonly description: string;
  readonly items: readonly ListItem[];
  /** Addresses of the items that are resources of their own. */
  readonly itemAddresses: readonly StatedAddress[];
}

/** An item that is a resource of its own. */
export interface StatedItem {
  readonly address: StatedAddress;
  readonly listId: string;
  readonly values: JsonObject;
}

const SENSITIVE = 'Terraform marks a part of it as sensitive, and no variable can stand in a list';

/** Reads an instance of `cloudflare_list`, or says why it cannot be read; items that are resources of their own join it. */
export function readStatedList(
  instance: TerraformInstance,
  apart: readonly StatedItem[],
): StatedList | string {
  const { address, values } = instance;
  const { id, account_id: account, name, description, items: items5, item: items4 } = values;
  const kind = LIST_KINDS.find((one) => one === values['kind']);
  if (!isId(textOf(id)) || !isId(textOf(account)) || textOf(name) === '') {
    return 'the state has no id or no name of it, or no id of its account';
  }
  if (kind === undefined) {
    return `lists of the kind ${JSON.stringify(values['kind'] ?? null)} are not known`;
  }
  const held = isJsonArray(items5) ? 'items' : 'item';
  const { texts, rules, attributes } = markedValues(instance, held);
  if (texts.size > 0 || rules === 'all' || rules.size > 0 || attributes.size > 0) {
    return SENSITIVE;
  }
  const own = apart.filter(({ listId }) => listId === id);
  const items: ListItem[] = [];
  for (const value of [...objectsIn(items5 ?? items4), ...own.map((item) => item.values)]) {
    const reading = readListItem(kind, wireItem(kind, value));
    if (reading.kind === 'refused') {
      return `one of its items cannot be declared: ${reading.message}`;
    }
    items.push(reading.item);
  }
  return {
    address,
    accountId: textOf(account),
    id: textOf(id),
    name: textOf(name),
    kind,
    description: textOf(description),
    items,
    itemAddresses: own.map((item) => item.address),
  };
}

/** Reads an instance of `cloudflare_list_item`, or says why it cannot be read. */
export function readStatedItem(instance: TerraformInstance): StatedItem | string {
  const { address, values, sensitive } = instance;
  const listId = textOf(values['list_id']);
  if (!isId(listId)) {
    return 'the state has no id of its list';
  }
  return sensitive.some(([first]) => !['id', 'list_id', 'account_id'].includes(String(first)))
    ? SENSITIVE
    : { address, listId, values };
}

/** Returns an item in the form of the service; version 4 of the provider keeps blocks as lists, and flags of redirects as words. */
function wireItem(kind: ListKind, value: JsonObject): JsonObject {
  const block = objectsIn(value['value'])[0] ?? value;
  const held = block[kind];
  const one = isJsonArray(held) ? (held[0] ?? null) : (held ?? null);
  const comment = textOf(value['comment']);
  return {
    ...(one === null ? {} : { [kind]: isJsonObject(one) ? flagsOf(one) : one }),
    ...(comment === '' ? {} : { comment }),
  };
}

function flagsOf(block: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(block).flatMap(([key, value]): readonly (readonly [string, JsonValue])[] =>
      value === null || value === ''
        ? []
        : [[key, value === 'enabled' ? true : value === 'disabled' ? false : value]],
    ),
  );
}
