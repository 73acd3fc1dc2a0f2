import type { ReadClient } from '../api/client.ts';
import { listRulesets } from '../api/rulesets.ts';
import type { ServiceError } from '../api/service-error.ts';
import { isForbidden, orElse } from '../api/service-error.ts';
import { memoise } from '../model/memoise.ts';

/** What an account's list of rulesets says about ownership: the ids in it are the account's, not a zone's. */
export type AccountList =
  | { readonly kind: 'listed'; readonly ids: ReadonlySet<string> }
  | { readonly kind: 'forbidden'; readonly error: ServiceError };

/** Reads the list of an account, each once: zones of one account share it, for requests are scarce. */
export type AccountLists = (accountId: string) => Promise<AccountList>;

/** A reader of account lists over one client. Rejects for every failure but 403. */
export function createAccountLists(client: ReadClient): AccountLists {
  return memoise((accountId) => readAccountList(client, accountId));
}

function readAccountList(client: ReadClient, accountId: string): Promise<AccountList> {
  const heads = listRulesets(client, { kind: 'account', id: accountId });
  return orElse<AccountList, AccountList>(
    heads.then((listed) => ({ kind: 'listed', ids: new Set(listed.map(({ id }) => id)) })),
    (error) => ({ kind: 'forbidden', error }),
    isForbidden,
  );
}
