import type { WriteClient } from '../../api/index.ts';

/** By what the service's audit log calls a write that it took. */
export interface WriteReceipt {
  /** The id of its entry: the header `cf-auditlog-id`. */
  readonly id: string;
  /** The id of the exchange: the header `cf-ray`. */
  readonly ray: string;
}

/** Returns a client that notes the receipts of the writes which it sends; of one without an answer there is none. */
export function notingReceipts(client: WriteClient): {
  readonly client: WriteClient;
  readonly receipts: readonly WriteReceipt[];
} {
  const receipts: WriteReceipt[] = [];
  return {
    receipts,
    client: {
      ...client,
      send: async (request) => {
        const answer = await client.send(request);
        receipts.push({ id: answer.auditId ?? '', ray: answer.request.rayId ?? '' });
        return answer;
      },
    },
  };
}

/** Returns the receipts as an entry of the journal has them; nothing where there are none. */
export function receiptsIn(receipts: readonly WriteReceipt[]): { readonly audit?: readonly WriteReceipt[] } {
  const told = receipts.filter(({ id, ray }) => id !== '' || ray !== '');
  return told.length === 0 ? {} : { audit: told };
}
