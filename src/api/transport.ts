import type { Pool } from 'undici';
import { headerMap } from '../model/headers.ts';
import { brokenBy } from './broken.ts';
import type { Dispatch, WireRequest, WireResult } from './dispatch.ts';

/** Bounds of the transport. */
export interface TransportOptions {
  readonly base: URL;
  /** For one exchange, from connecting to the last byte. */
  readonly timeoutMs: number;
  readonly concurrency: number;
  readonly signal?: AbortSignal;
}

/** The largest answer is a ruleset of 1,000 rules at some kilobytes each; far above that something is wrong. */
const MOST_BYTES = 64 * 1024 * 1024;
const CONNECT_MS = 10_000;

/** The wire: HTTP/1.1 over a few kept-alive connections, no pipelining, no redirects followed. */
export function createTransport(options: TransportOptions): {
  readonly dispatch: Dispatch;
  readonly close: () => Promise<void>;
} {
  let opened: Promise<Pool> | undefined;
  return {
    dispatch: async (request) => {
      opened ??= openPool(options);
      return exchange(await opened, request, options);
    },
    close: async () => {
      await (await opened)?.close();
    },
  };
}

/** undici is loaded with the first request: it costs more than the start of a command (libraries.md 2). */
async function openPool({ base, timeoutMs, concurrency }: TransportOptions): Promise<Pool> {
  const { Pool } = await import('undici');
  return new Pool(base.origin, {
    connections: concurrency,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: Math.min(CONNECT_MS, timeoutMs) },
    maxResponseSize: MOST_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

async function exchange(pool: Pool, request: WireRequest, options: TransportOptions): Promise<WireResult> {
  const { base, timeoutMs, signal } = options;
  if (isAborted(signal)) {
    return { kind: 'broken', reason: 'aborted', sent: false, detail: 'stopped before it was sent' };
  }
  const control = new AbortController();
  const stop = (): void => {
    control.abort();
  };
  const timer = setTimeout(stop, timeoutMs);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const { statusCode, headers, body } = await pool.request({
      method: request.method,
      path: `${base.pathname === '/' ? '' : base.pathname}${request.target}`,
      headers: { ...request.headers },
      body: request.body ?? null,
      signal: control.signal,
    });
    const text = await body.text();
    return { kind: 'answered', status: statusCode, headers: headerMap(headers), text };
  } catch (error) {
    if (control.signal.aborted) {
      return isAborted(signal)
        ? { kind: 'broken', reason: 'aborted', sent: true, detail: 'stopped' }
        : { kind: 'broken', reason: 'timeout', sent: true, detail: `no answer within ${timeoutMs} ms` };
    }
    return brokenBy(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
