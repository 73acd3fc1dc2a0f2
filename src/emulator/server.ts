import type { AddressInfo } from 'node:net';

import { serve } from '@hono/node-server';
import type { Http2Bindings, HttpBindings, ServerType } from '@hono/node-server';
import type { Hono } from 'hono';

import { envelope } from './protocol/answer.ts';
import { misdirected } from './protocol/gateway-errors.ts';
import { namesThisService } from './protocol/own-host.ts';

/** A listening HTTP server. */
export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

/** Where a server listens, and for which names it answers. */
export interface ListenOptions {
  /** 0 picks a free one. */
  readonly port: number;
  readonly address: string;
  /** The hosts that it answers for besides its own. */
  readonly hosts: readonly string[];
}

/** Serves an application to requests that name this service as their host. Rejects when the server cannot listen. */
export function listen(app: Hono, { port, address, hosts }: ListenOptions): Promise<Listener> {
  return new Promise((resolve, reject) => {
    // The strict parser would reject requests with both a Content-Length and a Transfer-Encoding header; the service
    // itself declines them, from a date on (specification 7.3).
    const serverOptions = { insecureHTTPParser: true };
    const fetch = (request: Request, env: HttpBindings | Http2Bindings): Response | Promise<Response> => {
      const { headers, socket } = env.incoming;
      return namesThisService(headers.host, socket, hosts)
        ? app.fetch(request, env)
        : refuseHost(headers.host);
    };
    const server = serve({ fetch, port, hostname: address, serverOptions }, (bound: AddressInfo) => {
      server.off('error', reject);
      resolve({ port: bound.port, close: () => close(server) });
    });
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

function refuseHost(host = ''): Response {
  const { status, body } = envelope(misdirected(host));
  return new Response(body, { status, headers: { 'content-type': 'application/json' } });
}
