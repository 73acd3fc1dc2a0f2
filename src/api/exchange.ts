import type { Dispatcher } from 'undici';
import { headerMap } from '../model/headers.ts';
import { bodyText } from './body-text.ts';
import { transportFailure } from './transport-errors.ts';
import type { WireResult } from './dispatch.ts';

/** Stops an exchange that is under way. */
export type Stop = () => void;

/** Options of one exchange. */
export interface ExchangeOptions {
  /** Timeout from connecting to the last byte. */
  readonly timeoutMs: number;
  /**
   * Contains the function that stops the exchange while it runs: one listener for all exchanges is cheaper than one each. It is a list
   * because a set that is written to all the time keeps deleted members alive until the next garbage collection.
   */
  readonly running: Stop[];
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
