import type { ReadClient } from '../api/client.ts';
import { listRulesets } from '../api/rulesets.ts';
import type { ServiceError } from '../api/service-error.ts';
import { isForbidden, orElse } from '../api/service-error.ts';
import { memoise } from '../model/memoise.ts';

/** The ids in an account's list of rulesets, which tell the account's rulesets from those of its zones. */
export type AccountList =
  | { readonly kind: 'listed'; readonly ids: ReadonlySet<string> }
  | { readonly kind: 'forbidden'; readonly error: ServiceError };

/** Reads the list of an account, each account's once: the zones of an account share it, to save requests. */
export type AccountLists = (accountId: string) => Promise<AccountList>;

/** Creates a reader of account lists. It rejects for every failure but 403. */
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
