import type { ReadClient } from './client.ts';
import type { Page } from './pages.ts';
import { readByPage, readPage } from './pages.ts';
import type { Members } from './shape.ts';
import { decodeAll, textMember } from './shape.ts';
import type { Scope } from '../model/scope.ts';

const PAGES = { perPage: 50, decode: decodeAll(decodeAccount) };

/** An account, as far as it is needed here (api.md 13.4). */
export interface Account extends Scope {
  readonly kind: 'account';
}

/** The accounts that the service finds under a name; usually one or none. */
export function findAccounts(client: ReadClient, name: string): Promise<readonly Account[]> {
  return readByPage(client, '/accounts', { ...PAGES, query: { name } });
}

/** A page (from 1) of all accounts that the credentials may see, 50 a page. */
export function pageOfAccounts(client: ReadClient, number: number): Promise<Page<Account>> {
  return readPage(client, '/accounts', number, PAGES);
}

function decodeAccount(account: Members): Account {
  const id = textMember(account, 'id');
  return { kind: 'account', id, name: textMember(account, 'name'), accountId: id };
}
