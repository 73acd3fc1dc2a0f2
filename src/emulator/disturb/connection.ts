import { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';

import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

import { isObject } from '../protocol/json.ts';

/** What becomes of the connection when an answer is ready. */
export type Ending =
  | { readonly kind: 'kept' }
  /** It breaks before the first byte. */
  | { readonly kind: 'cut' }
  /** It stays, and the body comes in pieces. */
  | { readonly kind: 'slow'; readonly pieces: number; readonly milliseconds: number }
  /** It breaks within the body. */
  | { readonly kind: 'cut-after'; readonly bytes: number };

/** Thrown where a connection should break and there is none: the application was called without a server. */
export class ConnectionCut extends Error {
  constructor() {
    super('the connection was cut by a fault');
    this.name = 'ConnectionCut';
  }
}

/** Gives an answer to the client, or as much of it as the ending allows. `env` holds the server's own objects. */
export async function deliver(response: Response, ending: Ending, env: unknown): Promise<Response> {
  if (ending.kind === 'kept') {
    return response;
  }
  const outgoing = isObject(env) ? env['outgoing'] : undefined;
  if (!(outgoing instanceof ServerResponse)) {
    if (ending.kind === 'slow') {
      return response;
    }
    throw new ConnectionCut();
  }
  if (ending.kind === 'cut') {
    outgoing.socket?.destroy();
    return RESPONSE_ALREADY_SENT;
  }
  const bytes = Buffer.from(await response.arrayBuffer());
  const headers = { ...Object.fromEntries(response.headers), 'content-length': String(bytes.length) };
  outgoing.writeHead(response.status, headers);
  if (ending.kind === 'cut-after') {
    await write(outgoing, bytes.subarray(0, ending.bytes));
    outgoing.socket?.destroy();
    return RESPONSE_ALREADY_SENT;
  }
  const length = Math.max(1, Math.ceil(bytes.length / ending.pieces));
  for (let start = 0; start < bytes.length; start += length) {
    await write(outgoing, bytes.subarray(start, start + length));
    await setTimeout(ending.milliseconds);
  }
  outgoing.end();
  return RESPONSE_ALREADY_SENT;
}

function write(outgoing: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    // Also called when the client has gone meanwhile.
    outgoing.write(bytes, () => resolve());
  });
}
