import type { AddressInfo } from 'node:net';
import { isIP } from 'node:net';
import { serve } from '@hono/node-server';
import type { Http2Bindings, HttpBindings, ServerType } from '@hono/node-server';
import type { Hono } from 'hono';
import { envelope } from './protocol/answer.ts';
import { misdirected } from './protocol/refusal.ts';

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

/** The local end of a connection. */
interface LocalEnd {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
}

/**
 * Whether a `Host` header names this service: `localhost`, a loopback address or the address that the client has connected to,
 * with the port of the connection, or one of the names in `alsoNamed` (`name` for any port, or `name:port`).
 *
 * A page of another site can give its own name this machine's address (DNS rebinding); its requests still carry that name.
 */
function namesThisService(
  header: string | undefined,
  { localAddress = '', localPort }: LocalEnd,
  alsoNamed: readonly string[],
): boolean {
  const host = header?.toLowerCase() ?? '';
  const [, bracketed, plain, port = '80'] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/u.exec(host) ?? [];
  const name = bracketed ?? plain ?? '';
  if (alsoNamed.some((each) => [name, `[${name}]`, host].includes(each.toLowerCase()))) {
    return name !== '';
  }
  const isOurs =
    name === 'localhost' || isLoopback(name) || (isIP(name) !== 0 && name === unmapped(localAddress));
  return isOurs && Number(port) === localPort;
}

/** Whether an address is reached from this machine only. */
function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/** Returns an IPv4 address that a socket for both families writes as IPv6 (`::ffff:192.0.2.1`). */
function unmapped(address: string): string {
  return address.toLowerCase().replace(/^::ffff:(?=\d+\.)/u, '');
}
