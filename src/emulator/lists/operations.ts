import { decodeList, param, readBody } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { pointerStep, textAt } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { deleteBody, itemBody } from './body.ts';
import { refuse } from '../protocol/refusal.ts';
import { notFound } from '../protocol/templates.ts';
import { withListErrors } from './with-list-errors.ts';
import { checkListPermission, findList, listsOf, listStamp } from './find.ts';
import { checkItem, itemKey, storedValue } from './item-values.ts';
import { stateAt } from '../records/list.ts';
import type { ListItem, ListOperation, StoredList } from '../records/list.ts';
import { itemQuotaError } from './quota.ts';

/** How long an operation takes by the service's clock; the real duration is not public. */
const OPERATION_MILLISECONDS = 1000;

/** POST items: appends them; an item whose value is already there replaces the existing item in its place (assumed). */
export function appendItems(call: ScopedCall): Answer {
  return changeItems(call, (list) =>
    merged(call, list, { base: list.items, given: decodeItems(call, list) }),
  );
}

/** PUT items: replaces all items; an item that stays keeps its id (assumed). */
export function replaceItems(call: ScopedCall): Answer {
  return changeItems(call, (list) => merged(call, list, { base: [], given: decodeItems(call, list) }));
}

/** DELETE items by id. */
export function deleteItems(call: ScopedCall): Answer {
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
export function readOperation(call: ScopedCall): Answer {
  checkListPermission(call, 'Read');
  const id = param(call, 'operation');
  const operation = call.service.store.listOperations.get(id);
  if (operation === undefined || operation.account !== call.scope.account.id) {
    throw notFound('operation', id);
  }
  return result(showOperation(operation, call.service.clock.now()));
}

/** Checks a change of items at once, and lets it take effect when the operation is due. */
function changeItems(call: ScopedCall, change: (list: StoredList) => readonly ListItem[]): Answer {
  const list = findList(call, 'Write');
  const { clock, store, switches, newId } = call.service;
  const now = clock.now();
  if (list.next !== undefined) {
    // As quoted in public reports.
    throw refuse(429, 'another operation on this list is still being processed', {
      code: 10019,
      headers: { 'retry-after': String(Math.ceil((list.next.due - now) / 1000)) },
    });
  }
  const items = change(list);
  const others = listsOf(call).filter((other) => other.id !== list.id);
  const error = itemQuotaError(call.scope.account, others, { kind: list.kind, count: items.length });
  const due = switches.listOperations === 'immediate' ? now : now + OPERATION_MILLISECONDS;
  const operation: ListOperation = {
    id: newId(),
    account: list.account,
    list: list.id,
    submitted: now,
    due,
    ...(error === undefined ? {} : { error }),
  };
  // A failing operation also blocks the list until it is over.
  const outcome = error === undefined ? items : list.items;
  const modified_on = error === undefined ? listStamp(due) : list.modified_on;
  store.lists.set(list.id, { ...list, next: { due, items: outcome, modified_on } });
  store.listOperations.set(operation.id, operation);
  return result({ operation_id: operation.id });
}

function decodeItems(call: ScopedCall, list: StoredList): readonly JsonObject[] {
  const body = withListErrors(() => decodeList(call, itemBody));
  for (const [index, item] of body.entries()) {
    checkItem(list.kind, item, pointerStep(index));
  }
  return body;
}

function merged(
  call: ScopedCall,
  list: StoredList,
  { base, given }: { readonly base: readonly ListItem[]; readonly given: readonly JsonObject[] },
): readonly ListItem[] {
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

function showOperation(operation: ListOperation, now: number): JsonObject {
  const status = stateAt(operation, now);
  const over = status === 'completed' || status === 'failed';
  return {
    id: operation.id,
    status,
    completed: over ? listStamp(operation.due) : undefined,
    error: status === 'failed' ? operation.error : undefined,
  };
}
