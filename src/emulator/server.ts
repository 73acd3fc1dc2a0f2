import type { AddressInfo } from 'node:net';

import { serve } from '@hono/node-server';
import type { ServerType } from '@hono/node-server';
import type { Hono } from 'hono';

/** A listening HTTP server. */
export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves an application on loopback; port 0 picks a free one. Rejects when the port cannot be had. */
export function listen(app: Hono, port: number): Promise<Listener> {
  return new Promise((resolve, reject) => {
    // The parser lets requests with two lengths through, which the service declines by date (specification 7.3).
    const serverOptions = { insecureHTTPParser: true };
    const server = serve(
      { fetch: app.fetch, port, hostname: '127.0.0.1', serverOptions },
      (address: AddressInfo) => {
        server.off('error', reject);
        resolve({ port: address.port, close: () => close(server) });
      },
    );
    server.once('error', reject);
  });
}

function close(server: ServerType): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    if ('closeAllConnections' in server) {
      server.closeAllConnections();
    }
  });
}
