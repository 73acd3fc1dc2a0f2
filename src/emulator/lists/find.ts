import { permissionProblem, type ScopedCall } from '../call.ts';
import { isRefusal, type Refusal } from '../protocol/refusal.ts';
import { listNotFound } from './errors.ts';
import { listAt, type StoredList } from './list.ts';

const GROUPS = ['Account Filter Lists', 'Account Rule Lists'];

/** The refusal of a credential without the permission group of lists, which has two names (api.md 11.2). */
export function listPermissionProblem(call: ScopedCall, access: 'Read' | 'Write'): Refusal | undefined {
  const groups = GROUPS.flatMap((group) =>
    access === 'Read' ? [`${group} Read`, `${group} Write`] : [`${group} Write`],
  );
  return permissionProblem(call, groups);
}

/** The lists of an account as they are now, oldest first. */
export function listsOf(call: ScopedCall): readonly StoredList[] {
  const now = call.service.clock.now();
  return call.service.store.lists.group(call.scope.account.id).map((list) => listAt(list, now));
}

/** The list that the path of a call names, as it is now, after the permission. */
export function findList(call: ScopedCall, access: 'Read' | 'Write'): StoredList | Refusal {
  const denied = listPermissionProblem(call, access);
  if (denied !== undefined) {
    return denied;
  }
  const id = call.params['list'] ?? '';
  const list = call.service.store.lists.get(id);
  return list === undefined || list.account !== call.scope.account.id
    ? listNotFound(id)
    : listAt(list, call.service.clock.now());
}

/** Carries out a read of the list that the path names. */
export function withList<T>(call: ScopedCall, read: (list: StoredList) => T | Refusal): T | Refusal {
  const list = findList(call, 'Read');
  return isRefusal(list) ? list : read(list);
}

/** Time stamps of lists have whole seconds, unlike those of rulesets (recorded). */
export function listStamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
