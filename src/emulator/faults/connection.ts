import { ServerResponse } from 'node:http';

import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

import { isObject } from '../json.ts';

/** What becomes of the connection when an answer is ready. */
export type Ending =
  | { readonly kind: 'kept' }
  /** It breaks before the first byte. */
  | { readonly kind: 'cut' }
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
    throw new ConnectionCut();
  }
  const { socket } = outgoing;
  if (ending.kind === 'cut-after') {
    const bytes = Buffer.from(await response.arrayBuffer());
    const headers = { ...Object.fromEntries(response.headers), 'content-length': String(bytes.length) };
    outgoing.writeHead(response.status, headers);
    await new Promise<void>((resolve) => {
      outgoing.write(bytes.subarray(0, ending.bytes), () => resolve());
    });
  }
  socket?.destroy();
  return RESPONSE_ALREADY_SENT;
}
