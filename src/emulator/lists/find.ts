import { checkPermission, param } from '../call/call.ts';
import type { Access, ScopedCall } from '../call/call.ts';
import { notFound } from '../protocol/templates.ts';
import { listAsOf } from '../records/list.ts';
import type { StoredList } from '../records/list.ts';

/** Refuses a credential without the permission group of lists, which has two names (api.md 11.2). */
export function checkListPermission(call: ScopedCall, access: Access): void {
  checkPermission(call, access, ['Account Filter Lists', 'Account Rule Lists']);
}

/** Returns the lists of an account in their current state, oldest first. */
export function listsOf(call: ScopedCall): readonly StoredList[] {
  const now = call.service.clock.now();
  return call.service.store.lists.group(call.scope.account.id).map((list) => listAsOf(list, now));
}

/** Checks the permission, then finds the list that the path of a call names, in its current state. */
export function findList(call: ScopedCall, access: Access): StoredList {
  checkListPermission(call, access);
  const id = param(call, 'list');
  const list = call.service.store.lists.get(id);
  if (list === undefined || list.account !== call.scope.account.id) {
    throw notFound('list', id);
  }
  return listAsOf(list, call.service.clock.now());
}

/** Formats a timestamp of a list, which has whole seconds, unlike those of rulesets (recorded). */
export function listStamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
