import type { Dispatcher } from 'undici';
import type { Proxy } from '../network/index.ts';
import { headerMap } from '../network/index.ts';
import { ACCEPTED_ENCODING, MAX_BYTES, bodyText } from './body.ts';
import type { Dispatch, WireResult } from './request.ts';
import { transportFailure } from './transport-errors.ts';

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
  const running: StopExchange[] = [];
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
    const { openProxy } = await import('../network/index.ts');
    return openProxy(proxy, bounds);
  }
  const { Pool } = await import('undici');
  return new Pool(base.origin, bounds);
}

/** Stops an exchange that is under way. */
export type StopExchange = () => void;

/** Options of one exchange. */
interface ExchangeOptions {
  /** Timeout from connecting to the last byte. */
  readonly timeoutMs: number;
  /**
   * Contains the function that stops the exchange while it runs: one listener for all exchanges is cheaper than one each. It is a list
   * because a set that is written to all the time keeps deleted members alive until the next garbage collection.
   */
  readonly running: StopExchange[];
}

/**
 * Sends a request and collects its response from undici's callbacks: its promise interface creates a stream for each body and an async
 * resource for each request, which cost as much as everything that this program adds.
 */
export function exchange(
  way: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, running }: ExchangeOptions,
): Promise<WireResult> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let head = { status: 0, headers: headerMap({}) };
    let controller: Dispatcher.DispatchController | undefined;
    let broken: WireResult | undefined;

    const settle = (result: WireResult): void => {
      const place = running.indexOf(stop);
      // An aborted request is already settled when undici reports the abort as an error.
      if (place !== -1) {
        clearTimeout(timer);
        running.splice(place, 1);
        resolve(result);
      }
    };
    const end = (reason: 'timeout' | 'aborted', detail: string): void => {
      const sent = controller !== undefined;
      broken ??= { kind: 'broken', reason, sent, detail };
      controller?.abort(new Error(detail));
      settle(broken);
    };
    const stop = (): void => {
      end('aborted', 'stopped');
    };
    const timer = setTimeout(() => {
      end('timeout', `no answer within ${timeoutMs} ms`);
    }, timeoutMs);
    running.push(stop);

    way.dispatch(request, {
      // Called just before the first byte is written; a request that was stopped before that is never sent.
      onRequestStart: (started) => {
        controller = started;
        if (broken !== undefined) {
          started.abort(new Error('stopped before it was sent'));
        }
      },
      // Also called for 1xx responses, before the final one.
      onResponseStart: (_controller, status, headers) => {
        head = { status, headers: headerMap(headers) };
      },
      onResponseData: (_controller, chunk) => {
        chunks.push(chunk);
      },
      onResponseEnd: () => {
        const text = bodyText(chunks, head.headers.get('content-encoding'));
        settle(typeof text === 'string' ? { kind: 'answered', ...head, text } : text);
      },
      onResponseError: (_controller, error) => {
        settle(broken ?? transportFailure(error));
      },
    });
  });
}
