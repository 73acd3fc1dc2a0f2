import { memoise } from '../data/index.ts';
import type { ReadClient, ServiceError } from '../api/index.ts';
import { RulewrightError } from '../model/index.ts';
import type { ListItem, LiveList, LiveListHead, Scope } from '../model/index.ts';
import type { RulesetCache } from './ruleset-cache.ts';
import {
  getList,
  listListItems,
  listLists,
  isForbidden,
  isServiceError,
  orElse,
  listRulesets,
} from '../api/index.ts';
import { counted } from '../text/index.ts';

/** The lists of an account, or why they are not known; mostly because the token may not read them. */
type ListsReading =
  | { readonly kind: 'read'; readonly lists: readonly LiveListHead[] }
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

/** Most times that a list is read again because it changed while its pages were read. */
const MOST_READS = 3;

/**
 * Reads a list with its items, from the cache where the list has not moved. Pages that were read while somebody changed the list are of no one
 * state, so it is read again until it holds still.
 */
export async function readList(
  client: ReadClient,
  scope: Scope,
  head: LiveListHead,
  cache: Pick<RulesetCache, 'findItems' | 'keepItems'>,
): Promise<LiveList> {
  const kept = await cache.findItems(scope, head);
  if (kept !== null) {
    return { ...head, items: kept };
  }
  let before = head;
  for (let read = 1; ; read += 1) {
    const items = before.itemCount === 0 ? [] : await listListItems(client, scope.accountId, before);
    const after = items.length <= PAGE ? before : await getList(client, scope.accountId, before.id);
    if (items.length === after.itemCount && after.modifiedOn === before.modifiedOn) {
      await cache.keepItems(scope, after, items);
      return { ...after, items };
    }
    if (read === MOST_READS) {
      throw new RulewrightError(
        `the list ${head.name} changed each time that it was read (${counted(items.length, 'item')}, of which the service counts ${after.itemCount})`,
        {
          code: 'live/changed-while-reading',
          fault: 'remote',
          hint: 'somebody is filling it: try again when that is over',
        },
      );
    }
    before = await getList(client, scope.accountId, before.id);
  }
}

/** The items of one page: a list of no more is read in one state. */
const PAGE = 500;

/** The items of an account's lists, as conditions compare with them. */
interface ListItems {
  readonly items: Readonly<Record<string, readonly (string | number)[]>>;
  /** When one of them was last changed, in milliseconds since 1970; null where the service does not say it of each that was asked for. */
  readonly changedOn: number | null;
}

/**
 * Reads the items of an account's lists, by list name. Lists that do not exist or are of an unknown kind are left out; the result is empty
 * when the token may not read lists.
 */
export async function readListItems(
  client: ReadClient,
  accountId: string,
  names: ReadonlySet<string>,
): Promise<ListItems> {
  if (names.size === 0) {
    return { items: {}, changedOn: 0 };
  }
  try {
    const lists = (await listLists(client, accountId)).filter(
      ({ name, kind }) => names.has(name) && typeof kind === 'string',
    );
    const read = await Promise.all(
      lists.map(async (list) => {
        const items = await listListItems(client, accountId, list);
        return [list.name, items.flatMap(({ item }) => valueOf(item))] as const;
      }),
    );
    const times = lists.map(({ modifiedOn }) => Date.parse(modifiedOn));
    return {
      items: Object.fromEntries(read),
      changedOn: times.some(Number.isNaN) ? null : Math.max(0, ...times),
    };
  } catch (error) {
    if (isForbidden(error)) {
      return { items: {}, changedOn: null };
    }
    throw error;
  }
}

/** Returns the value that expressions compare with; none for redirects, which only the service looks up. */
function valueOf(item: ListItem): readonly (string | number)[] {
  return 'ip' in item ? [item.ip] : 'asn' in item ? [item.asn] : 'hostname' in item ? [item.hostname] : [];
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
