import { onTestFinished } from 'vitest';
import type { ScratchZone, Environment } from './scratch-zone.ts';
import { MAKER, PATIENCE, openScratchZone } from './scratch-zone.ts';
import {
  createListRequest,
  decodeListHead,
  deleteListRequest,
  getList,
  listListItems,
  listLists,
} from '../../src/api/lists.ts';
import type { WriteRequest } from '../../src/api/request.ts';
import { decodeResult } from '../../src/api/response.ts';
import { isNotFound, orElse, serviceErrorOf } from '../../src/api/service-error.ts';
import type { ListWriteResult } from '../../src/apply/lists/send-list-write.ts';
import { sendListWrite } from '../../src/apply/lists/send-list-write.ts';
import type { ListKind, LiveListHead, LiveListItem } from '../../src/model/list.ts';

/** A list that a test has created, empty. */
export interface ScratchList {
  readonly at: { readonly accountId: string; readonly listId: string };
  readonly name: string;
  head(): Promise<LiveListHead>;
  items(): Promise<readonly LiveListItem[]>;
  /** Sends a write of items when its turn has come, and follows its operation to the end. */
  write(request: WriteRequest): Promise<ListWriteResult>;
}

/** A zone in whose account a test may also make lists. */
export interface ScratchAccount {
  readonly zone: ScratchZone;
  /** All lists that this run has made. */
  own(): Promise<readonly LiveListHead[]>;
  /** Makes a list, which is deleted when the test ends. Its name is of this run alone. */
  make(kind: ListKind): Promise<ScratchList>;
  close(): Promise<void>;
}

/** Opens a zone, and its account. Rejects without having written where a stopped run left lists behind. */
export async function openScratchAccount(env: Environment): Promise<ScratchAccount> {
  const zone = await openScratchZone(env);
  const { client, clock } = zone;
  const { accountId } = zone.scope;
  let count = 0;
  const made = async (mark: string): Promise<readonly LiveListHead[]> =>
    (await listLists(client, accountId)).filter(({ description }) => description.startsWith(mark));
  const sweep = async (): Promise<void> => {
    const left: string[] = [];
    for (const { id, name } of await made(zone.mark)) {
      const error = await serviceErrorOf(
        orElse(client.send(deleteListRequest(accountId, id)), () => undefined, isNotFound),
      );
      left.push(...(error === null ? [] : [`${name} (${error.message})`]));
    }
    if (left.length > 0) {
      throw new Error(
        `the account of ${zone.scope.name} has lists that could not be deleted: ${left.join(', ')}`,
      );
    }
  };
  try {
    const [left] = await made(MAKER);
    if (left !== undefined) {
      throw new Error(
        `the account of ${zone.scope.name} has a list that a stopped run left behind, delete it first: ${left.name}`,
      );
    }
  } catch (error) {
    await zone.close();
    throw error;
  }
  return {
    zone,
    own: () => made(zone.mark),
    make: async (kind) => {
      onTestFinished(sweep, PATIENCE);
      count += 1;
      const name = `${zone.mark.replaceAll('-', '_')}_${count}`;
      const request = createListRequest(accountId, { name, kind, description: zone.mark });
      const { id: listId } = decodeResult(await client.send(request), decodeListHead);
      const means = { client, reader: client, accountId, clock, signal: undefined };
      return {
        at: { accountId, listId },
        name,
        head: () => getList(client, accountId, listId),
        items: () => listListItems(client, accountId, { id: listId, kind }),
        write: (request) =>
          sendListWrite(
            { kind: 'add-items', items: [] },
            () => Promise.resolve({ kind: 'request', request }),
            means,
          ),
      };
    },
    close: async () => {
      try {
        await sweep();
      } finally {
        await zone.close();
      }
    },
  };
}
