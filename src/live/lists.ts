import type { ReadClient } from '../api/client.ts';
import type { List } from '../api/lists.ts';
import { listLists } from '../api/lists.ts';
import type { ServiceError } from '../api/service-error.ts';
import { isServiceError } from '../api/service-error.ts';

/** The lists of an account, or why they are not known: above all a token that may not read them. */
export type ListsReading =
  | { readonly kind: 'read'; readonly lists: readonly Pick<List, 'name' | 'kind'>[] }
  | { readonly kind: 'failed'; readonly error: ServiceError };

/** Reads the lists of an account, each account's once for a client. */
export type ReadLists = (client: ReadClient, accountId: string) => Promise<ListsReading>;

/** A reader of lists that remembers what it has read. Rejects for what is no answer of the service, as an interruption. */
export function createReadLists(): ReadLists {
  const readings = new Map<ReadClient, Map<string, Promise<ListsReading>>>();
  return (client, accountId) => {
    const own = readings.get(client) ?? new Map<string, Promise<ListsReading>>();
    const reading = own.get(accountId) ?? read(client, accountId);
    readings.set(client, own.set(accountId, reading));
    return reading;
  };
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
