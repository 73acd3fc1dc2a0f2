import { assertNever, memoise } from '../data/index.ts';
import type { ReadClient, List, ListItem, ServiceError } from '../api/index.ts';
import { listListItems, listLists, isForbidden, isServiceError, orElse, listRulesets } from '../api/index.ts';

/** The lists of an account, or why they are not known; mostly because the token may not read them. */
type ListsReading =
  | { readonly kind: 'read'; readonly lists: readonly Pick<List, 'name' | 'kind'>[] }
  | { readonly kind: 'failed'; readonly error: ServiceError };

/** Reads the lists of an account, each account's once per client. */
type ReadLists = (client: ReadClient, accountId: string) => Promise<ListsReading>;

/** Creates a reader of lists that remembers its results. It rejects only when the run was interrupted, and for bugs. */
export function createReadLists(): ReadLists {
  const readerOf = memoise((client: ReadClient) => memoise((accountId: string) => read(client, accountId)));
  return (client, accountId) => readerOf(client)(accountId);
}

async function read(client: ReadClient, accountId: string): Promise<ListsReading> {
  try {
    return { kind: 'read', lists: await listLists(client, accountId) };
  } catch (error) {
    if (isServiceError(error) && error.code !== 'api/aborted') {
      return { kind: 'failed', error };
    }
    throw error;
  }
}

/**
 * Reads the items of an account's lists, by list name. Lists that do not exist or are of an unknown kind are left out; the result is empty
 * when the token may not read lists.
 */
export async function readListItems(
  client: ReadClient,
  accountId: string,
  names: ReadonlySet<string>,
): Promise<Readonly<Record<string, readonly (string | number)[]>>> {
  if (names.size === 0) {
    return {};
  }
  try {
    const lists = (await listLists(client, accountId)).filter(
      ({ name, kind }) => names.has(name) && typeof kind === 'string',
    );
    const read = await Promise.all(
      lists.map(async ({ id, name }) => {
        const items = await listListItems(client, accountId, id);
        return [name, items.flatMap(valueOf)] as const;
      }),
    );
    return Object.fromEntries(read);
  } catch (error) {
    if (isForbidden(error)) {
      return {};
    }
    throw error;
  }
}

/** Returns the value that expressions compare with; none for redirects, which only the service looks up. */
function valueOf(item: ListItem): readonly (string | number)[] {
  switch (item.kind) {
    case 'ip':
      return [item.ip];
    case 'asn':
      return [item.asn];
    case 'hostname':
      return [item.hostname];
    case 'redirect':
      return [];
    default:
      return assertNever(item);
  }
}

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
