import type { Dispatcher } from 'undici';
import type { Proxy } from '../model/proxy.ts';
import { ACCEPTED_ENCODING, MAX_BYTES } from './body-text.ts';
import type { Dispatch } from './dispatch.ts';
import type { Stop } from './exchange.ts';
import { exchange } from './exchange.ts';

/** Options of the transport. */
export interface TransportOptions {
  readonly base: URL;
  /** Timeout of one exchange, from connecting to the last byte. */
  readonly timeoutMs: number;
  readonly concurrency: number;
  /** The headers of every request; `content-type` is added to requests with a body. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  readonly proxy?: Proxy | undefined;
}

const CONNECT_MS = 10_000;

/** Creates the transport: HTTP/1.1 over a few keep-alive connections, without pipelining and without following redirects. */
export function createTransport(options: TransportOptions): {
  readonly dispatch: Dispatch;
  readonly close: () => Promise<void>;
} {
  const { base, timeoutMs, signal } = options;
  const { origin } = base;
  const prefix = base.pathname === '/' ? '' : base.pathname;
  const bare = { ...options.headers, 'accept-encoding': ACCEPTED_ENCODING };
  const withBody = { ...bare, 'content-type': 'application/json' };
  const running: Stop[] = [];
  const stopAll = (): void => {
    [...running].forEach((stop) => stop());
  };
  signal?.addEventListener('abort', stopAll, { once: true });
  let opened: Promise<Dispatcher> | undefined;
  return {
    dispatch: async ({ method, target, body }) => {
      opened ??= openWay(options);
      const way = await opened;
      if (signal?.aborted === true) {
        return { kind: 'broken', reason: 'aborted', sent: false, detail: 'stopped before it was sent' };
      }
      const sent = body === undefined ? { method, headers: bare } : { method, headers: withBody, body };
      const request = { ...sent, origin, path: `${prefix}${target}` };
      return exchange(way, request, { timeoutMs, running });
    },
    close: async () => {
      await (await opened)?.close();
      signal?.removeEventListener('abort', stopAll);
    },
  };
}

/**
 * Opens the dispatcher. undici is loaded with the first request, because loading it takes longer than starting a command (libraries.md 2).
 */
async function openWay({ base, timeoutMs, concurrency, proxy }: TransportOptions): Promise<Dispatcher> {
  const bounds = {
    connections: concurrency,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: Math.min(CONNECT_MS, timeoutMs) },
    maxResponseSize: MAX_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  if (proxy !== undefined) {
    const { openProxy } = await import('../network/proxy-agent.ts');
    return openProxy(proxy, bounds);
  }
  const { Pool } = await import('undici');
  return new Pool(base.origin, bounds);
}
