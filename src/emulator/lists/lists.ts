import { readBody } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import type { JsonObject } from '../protocol/json.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { createBody, updateBody } from './body.ts';
import { refuse } from '../protocol/refusal.ts';
import { withListErrors } from './with-list-errors.ts';
import { checkListPermission, findList, listsOf, listStamp } from './find.ts';
import type { StoredList } from '../records/list.ts';
import { checkListQuota } from './quota.ts';
import { countUses } from './uses.ts';

/** GET all lists of the account, without pages (api.md 1.3). */
export function readLists(call: ScopedCall): Answer {
  checkListPermission(call, 'Read');
  const uses = countUses(call.service.store, call.scope.account);
  return result(listsOf(call).map((list) => showList(list, uses)));
}

/** GET one list. */
export function readList(call: ScopedCall): Answer {
  return show(call, findList(call, 'Read'));
}

/** POST a list: name and kind never change afterwards. */
export function createList(call: ScopedCall): Answer {
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
export function updateList(call: ScopedCall): Answer {
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
export function deleteList(call: ScopedCall): Answer {
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

function showList(list: StoredList, uses: ReadonlyMap<string, number>): JsonObject {
  return {
    id: list.id,
    name: list.name,
    description: list.description,
    kind: list.kind,
    num_items: list.items.length,
    num_referencing_filters: uses.get(list.name) ?? 0,
    created_on: list.created_on,
    modified_on: list.modified_on,
  };
}
