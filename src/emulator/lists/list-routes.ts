import { inAccounts } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { param, decodeList, readBody, checkPermission } from '../call/call.ts';
import type { ScopedCall, Access } from '../call/call.ts';
import { readNumber } from '../listing/list-page.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import {
  badParameter,
  decline,
  refuse,
  attempt,
  invalidValue,
  Refusal,
  notFound,
} from '../protocol/refusal.ts';
import type { StoredListItem, ListOperation, StoredList } from '../records/list-record.ts';
import { pointerStep, textAt, objectAt } from '../protocol/wire-object.ts';
import { stateAt, listAsOf } from '../records/list-record.ts';
import { allLists } from '../../expression/index.ts';
import { latest } from '../records/ruleset-record.ts';
import type { RulesetVersion, StoredRule } from '../records/ruleset-record.ts';
import type { Account } from '../records/directory-record.ts';
import type { Store } from '../store/store.ts';
import {
  deleteBody,
  itemBody,
  createBody,
  updateBody,
  checkItem,
  itemKey,
  storedValue,
  itemQuotaError,
  checkListQuota,
} from './list-values.ts';

/** Returns the lists that a rule names, in its expressions and as `from_list`. */
function namesInRule({ definition }: StoredRule): readonly string[] {
  const counting = textAt(definition.ratelimit ?? {}, 'counting_expression') ?? '';
  const redirect = objectAt(definition.action_parameters ?? {}, 'from_list');
  const name = redirect === undefined ? undefined : textAt(redirect, 'name');
  return [
    ...namesInExpression(definition.expression ?? ''),
    ...namesInExpression(counting),
    ...(name === undefined ? [] : [name]),
  ];
}

/** Counts how many rules and old filters of an account and its zones name each list. */
function countUses(store: Store, account: Account): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const zones = store.zones.group(account.id);
  const owners = [`accounts/${account.id}`, ...zones.map((zone) => `zones/${zone.id}`)];
  const names = [
    ...owners
      .flatMap((owner) => store.rulesets.group(owner))
      .flatMap((ruleset) => namesInVersion(latest(ruleset))),
    // With one list, old filters are a view of the custom rules, which are counted already.
    ...zones
      .filter((zone) => zone.firewall?.rules === 'two_lists')
      .flatMap((zone) => store.filters.group(zone.id))
      .flatMap((filter) => once(namesInExpression(filter.expression))),
  ];
  for (const name of names) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

// Versions are immutable, so each is searched only once.
const known = new WeakMap<RulesetVersion, readonly string[]>();

function namesInVersion(version: RulesetVersion): readonly string[] {
  const names = known.get(version) ?? version.rules.flatMap((rule) => once(namesInRule(rule)));
  known.set(version, names);
  return names;
}

/** Returns the lists that an expression names, including the vendor's (`$cf.…`); none when the text does not parse. */
function namesInExpression(text: string): readonly string[] {
  return allLists(text, 'filter').map(({ name }) => name);
}

function once(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

/** GET all lists of the account, without pages (api.md 1.3). */
function readLists(call: ScopedCall): Answer {
  checkListPermission(call, 'Read');
  const uses = countUses(call.service.store, call.scope.account);
  return result(listsOf(call).map((list) => showList(list, uses)));
}

/** GET one list. */
function readList(call: ScopedCall): Answer {
  return show(call, findList(call, 'Read'));
}

/** POST a list: name and kind never change afterwards. */
function createList(call: ScopedCall): Answer {
  checkListPermission(call, 'Write');
  const { name, kind, description = '' } = withListErrors(() => readBody(call, createBody));
  const { service, scope } = call;
  const lists = listsOf(call);
  if (lists.some((list) => list.name === name)) {
    const message = `'${name}' is not a valid value for name because a list with this name already exists`;
    throw refuse(409, message, { code: 10019, pointer: '/name' });
  }
  checkListQuota(scope.account, lists, kind);
  const stamp = listStamp(service.clock.now());
  const list: StoredList = {
    id: service.newId(),
    account: scope.account.id,
    name,
    kind,
    description,
    created_on: stamp,
    modified_on: stamp,
    items: [],
  };
  service.store.lists.set(list.id, list);
  return show(call, list);
}

/** PUT a list: changes its description. */
function updateList(call: ScopedCall): Answer {
  const list = findList(call, 'Write');
  const { description = '' } = withListErrors(() => readBody(call, updateBody));
  const changed = {
    ...list,
    description,
    modified_on: listStamp(call.service.clock.now()),
  };
  call.service.store.lists.set(list.id, changed);
  return show(call, changed);
}

/** DELETE a list with its items, unless something refers to it. */
function deleteList(call: ScopedCall): Answer {
  const list = findList(call, 'Write');
  if ((countUses(call.service.store, call.scope.account).get(list.name) ?? 0) > 0) {
    // As quoted in public reports.
    throw refuse(400, 'filters.api.ip_list_in_use', { code: 10031 });
  }
  call.service.store.lists.delete(list.id);
  return result({ id: list.id });
}

function show(call: ScopedCall, list: StoredList): Answer {
  return result(showList(list, countUses(call.service.store, call.scope.account)));
}

function showList(list: StoredList, uses: ReadonlyMap<string, number>): WireObject {
  return {
    id: list.id,
    name: list.name,
    // A list without one has no such member in recorded answers (api.md 9.9).
    ...(list.description === '' ? {} : { description: list.description }),
    kind: list.kind,
    num_items: list.items.length,
    num_referencing_filters: uses.get(list.name) ?? 0,
    created_on: list.created_on,
    modified_on: list.modified_on,
  };
}

/** How long an operation takes by the service's clock; the real duration is not public. */
const OPERATION_MILLISECONDS = 1000;

/** POST items: appends them; an item whose value is already there replaces the existing item in its place (assumed). */
function appendItems(call: ScopedCall): Answer {
  return changeItems(call, (list) =>
    merged(call, list, { base: list.items, given: decodeItems(call, list) }),
  );
}

/** PUT items: replaces all items; an item that stays keeps its id (assumed). */
function replaceItems(call: ScopedCall): Answer {
  return changeItems(call, (list) => merged(call, list, { base: [], given: decodeItems(call, list) }));
}

/** DELETE items by id. */
function deleteItems(call: ScopedCall): Answer {
  return changeItems(call, (list) => {
    const { items } = withListErrors(() => readBody(call, deleteBody));
    const ids = items.map(({ id }) => id);
    const known = new Set(list.items.map(({ id }) => id));
    const strange = ids.findIndex((id) => !known.has(id));
    const gone = new Set(ids);
    if (strange >= 0) {
      throw notFound('item', ids[strange] ?? '', `/items/${strange}/id`);
    }
    return list.items.filter(({ id }) => !gone.has(id));
  });
}

/** GET the state of an operation. */
function readOperation(call: ScopedCall): Answer {
  checkListPermission(call, 'Read');
  const id = param(call, 'operation');
  const operation = call.service.store.listOperations.get(id);
  if (operation === undefined || operation.account !== call.scope.account.id) {
    throw notFound('operation', id);
  }
  return result(showOperation(operation, call.service.clock.now()));
}

/** Checks a change of items at once, and lets it take effect when the operation is due. */
function changeItems(call: ScopedCall, change: (list: StoredList) => readonly StoredListItem[]): Answer {
  const list = findList(call, 'Write');
  const { clock, store, switches, newId } = call.service;
  const now = clock.now();
  const lists = listsOf(call);
  const due = Math.max(0, ...lists.map(({ next }) => next?.due ?? 0));
  if (due > now) {
    // One pending operation an account, as the vendor's SDK says of these operations; the text is assumed.
    throw refuse(429, 'another bulk operation of this account is still being processed', {
      code: 10019,
      headers: { 'retry-after': String(Math.ceil((due - now) / 1000)) },
    });
  }
  const items = change(list);
  const others = lists.filter((other) => other.id !== list.id);
  const error = itemQuotaError(call.scope.account, others, { kind: list.kind, count: items.length });
  const ends = switches.listOperations === 'immediate' ? now : now + OPERATION_MILLISECONDS;
  const operation: ListOperation = {
    id: newId(),
    account: list.account,
    list: list.id,
    submitted: now,
    due: ends,
    ...(error === undefined ? {} : { error }),
  };
  // A failing operation also blocks the account until it is over.
  const outcome = error === undefined ? items : list.items;
  const modified_on = error === undefined ? listStamp(ends) : list.modified_on;
  store.lists.set(list.id, { ...list, next: { due: ends, items: outcome, modified_on } });
  store.listOperations.set(operation.id, operation);
  return result({ operation_id: operation.id });
}

function decodeItems(call: ScopedCall, list: StoredList): readonly WireObject[] {
  const body = withListErrors(() => decodeList(call, itemBody));
  const keys = new Set<string>();
  for (const [index, item] of body.entries()) {
    checkItem(list.kind, item, pointerStep(index));
    const key = itemKey(list.kind, item);
    if (keys.has(key)) {
      // As quoted in a public report.
      throw invalidValue(
        key,
        `${pointerStep(index)}/${list.kind}`,
        'filters.api.duplicate_item_value',
        10028,
      );
    }
    keys.add(key);
  }
  return body;
}

function merged(
  call: ScopedCall,
  list: StoredList,
  { base, given }: { readonly base: readonly StoredListItem[]; readonly given: readonly WireObject[] },
): readonly StoredListItem[] {
  const stamp = listStamp(call.service.clock.now());
  const before = new Map(list.items.map((item) => [itemKey(list.kind, item.value), item]));
  const items = new Map(base.map((item) => [itemKey(list.kind, item.value), item]));
  for (const raw of given) {
    const value = storedValue(list.kind, raw);
    const key = itemKey(list.kind, value);
    const known = before.get(key);
    items.set(key, {
      id: known?.id ?? call.service.newId(),
      value,
      comment: textAt(raw, 'comment') ?? '',
      created_on: known?.created_on ?? stamp,
      modified_on: stamp,
    });
  }
  return [...items.values()];
}

function showOperation(operation: ListOperation, now: number): WireObject {
  const status = stateAt(operation, now);
  const over = status === 'completed' || status === 'failed';
  return {
    id: operation.id,
    status,
    completed: over ? listStamp(operation.due) : undefined,
    error: status === 'failed' ? operation.error : undefined,
  };
}

const LARGEST_PAGE = 500;

/** GET items, paged by cursors in both directions; `search` looks into values and comments (api.md 1.3). */
function readItems(call: ScopedCall): Answer {
  const list = findList(call, 'Read');
  const size = readNumber(call.query, 'per_page', { min: 1, max: LARGEST_PAGE, standard: LARGEST_PAGE });
  const search = (call.query.get('search') ?? '').toLowerCase();
  const items = list.items.filter((item) => matches(item, search));
  const start = readStart(call.query, items.length);
  const end = start + size;
  const cursors = {
    ...(start > 0 ? { before: cursorAt(Math.max(0, start - size)) } : {}),
    ...(end < items.length ? { after: cursorAt(end) } : {}),
  };
  const shown = items.slice(start, end).map(showItem);
  return Object.keys(cursors).length === 0 ? result(shown) : result(shown, { cursors });
}

/** GET one item of a list. */
function readItem(call: ScopedCall): Answer {
  const list = findList(call, 'Read');
  const id = param(call, 'item');
  const item = list.items.find((candidate) => candidate.id === id);
  return result(showItem(item ?? decline(notFound('item', id))));
}

function showItem(item: StoredListItem): WireObject {
  return {
    id: item.id,
    ...item.value,
    comment: item.comment || undefined,
    created_on: item.created_on,
    modified_on: item.modified_on,
  };
}

function matches(item: StoredListItem, search: string): boolean {
  return search === '' || `${JSON.stringify(item.value)} ${item.comment}`.toLowerCase().includes(search);
}

function cursorAt(place: number): string {
  return Buffer.from(`item:${place}`).toString('base64url');
}

function readStart(query: URLSearchParams, length: number): number {
  const text = query.get('cursor');
  if (text === null) {
    return 0;
  }
  const [, place] = /^item:(\d+)$/u.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (place === undefined) {
    throw badParameter('cursor', text, 'it is not a cursor of this list');
  }
  return Math.min(Number(place), length);
}

const LISTS = '/rules/lists';
const LIST = `${LISTS}/:list`;
const ITEMS = `${LIST}/items`;

/** The operations of the Lists interface that concern lists named by rules (api.md 9.8); below accounts only. */
export const listRoutes: readonly Route[] = [
  inAccounts('GET', LISTS, readLists),
  inAccounts('POST', LISTS, createList),
  inAccounts('GET', LIST, readList),
  inAccounts('PUT', LIST, updateList),
  inAccounts('DELETE', LIST, deleteList),
  inAccounts('GET', ITEMS, readItems),
  inAccounts('POST', ITEMS, appendItems),
  inAccounts('PUT', ITEMS, replaceItems),
  inAccounts('DELETE', ITEMS, deleteItems),
  inAccounts('GET', `${ITEMS}/:item`, readItem),
  inAccounts('GET', `${LISTS}/bulk_operations/:operation`, readOperation),
];

/** Reads a body; a body that does not decode is refused with the code for lists that public reports quote. */
function withListErrors<T>(read: () => T): T {
  const body = attempt(read);
  if (!(body instanceof Refusal)) {
    return body;
  }
  throw body.extras.undecoded === true
    ? new Refusal(
        body.status,
        body.errors.map((error) => ({ ...error, code: 10026 })),
        body.extras,
      )
    : body;
}

/** Refuses a credential without the permission group of lists, which has two names (api.md 11.2). */
function checkListPermission(call: ScopedCall, access: Access): void {
  checkPermission(call, access, ['Account Filter Lists', 'Account Rule Lists']);
}

/** Returns the lists of an account in their current state, oldest first. */
function listsOf(call: ScopedCall): readonly StoredList[] {
  const now = call.service.clock.now();
  return call.service.store.lists.group(call.scope.account.id).map((list) => listAsOf(list, now));
}

/** Checks the permission, then finds the list that the path of a call names, in its current state. */
function findList(call: ScopedCall, access: Access): StoredList {
  checkListPermission(call, access);
  const id = param(call, 'list');
  const list = call.service.store.lists.get(id);
  if (list === undefined || list.account !== call.scope.account.id) {
    throw notFound('list', id);
  }
  return listAsOf(list, call.service.clock.now());
}

/** Formats a timestamp of a list, which has whole seconds, unlike those of rulesets (recorded). */
function listStamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
