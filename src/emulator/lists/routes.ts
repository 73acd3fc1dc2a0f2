import type { ScopedCall } from '../call.ts';
import type { Answer } from '../protocol/answer.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { Method, Route } from '../route.ts';
import { readItem, readItems } from './items.ts';
import { createList, deleteList, readList, readLists, updateList } from './lists.ts';
import { appendItems, deleteItems, readOperation, replaceItems } from './operations.ts';

/** The operations of the Lists interface, as far as rules refer to lists (api.md 9.8); accounts only. */
export const listRoutes: readonly Route[] = [
  inAccounts('GET', '', readLists),
  inAccounts('POST', '', createList),
  inAccounts('GET', '/:list', readList),
  inAccounts('PUT', '/:list', updateList),
  inAccounts('DELETE', '/:list', deleteList),
  inAccounts('GET', '/:list/items', readItems),
  inAccounts('POST', '/:list/items', appendItems),
  inAccounts('PUT', '/:list/items', replaceItems),
  inAccounts('DELETE', '/:list/items', deleteItems),
  inAccounts('GET', '/:list/items/:item', readItem),
  inAccounts('GET', '/bulk_operations/:operation', readOperation),
];

function inAccounts(method: Method, path: string, handle: (call: ScopedCall) => Answer | Refusal): Route {
  return {
    kind: 'scoped',
    method,
    path: `/accounts/:account/rules/lists${path}`,
    dryRun: 'unknown',
    handle,
  };
}
