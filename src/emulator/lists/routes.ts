import { inAccounts } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { readItem, readItems } from './items.ts';
import { createList, deleteList, readList, readLists, updateList } from './lists.ts';
import { appendItems, deleteItems, readOperation, replaceItems } from './operations.ts';

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
