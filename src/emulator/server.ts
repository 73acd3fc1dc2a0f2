import type { AddressInfo } from 'node:net';

import { serve } from '@hono/node-server';
import type { ServerType } from '@hono/node-server';
import type { Hono } from 'hono';

/** A listening HTTP server. */
export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves an application on loopback; port 0 picks a free port. Rejects when the server cannot listen on the port. */
export function listen(app: Hono, port: number): Promise<Listener> {
  return new Promise((resolve, reject) => {
    // The strict parser would reject requests with both a Content-Length and a Transfer-Encoding header; the service
    // itself declines them, from a date on (specification 7.3).
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
