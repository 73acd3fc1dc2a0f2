import { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';

import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

import { isObject } from '../protocol/wire-object.ts';

/** What happens to the connection when an answer is ready. */
export type Ending =
  | { readonly kind: 'kept' }
  /** The connection breaks before the first byte. */
  | { readonly kind: 'cut' }
  /** The connection stays open, and the body comes in pieces with pauses in between. */
  | { readonly kind: 'slow'; readonly pieces: number; readonly milliseconds: number }
  /** The connection breaks after so many bytes of the body. */
  | { readonly kind: 'cut-after'; readonly bytes: number };

/** Thrown to signal a broken connection when the application is called without a server. */
export class ConnectionCut extends Error {
  constructor() {
    super('the connection was cut by a fault');
    this.name = 'ConnectionCut';
  }
}

/** Sends an answer to the client, as far as the ending allows. `env` holds the Node server's objects, if there is a server. */
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
    // The callback also runs when the client has already disconnected.
    outgoing.write(bytes, () => resolve());
  });
}
