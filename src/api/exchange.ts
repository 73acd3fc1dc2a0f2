import type { Dispatcher } from 'undici';
import { headerMap } from '../model/headers.ts';
import { bodyText } from './body-text.ts';
import { transportFailure } from './transport-errors.ts';
import type { WireResult } from './dispatch.ts';

/** Ends an exchange that is under way. */
export type Stop = () => void;

/** Bounds of one exchange. */
export interface ExchangeOptions {
  /** From connecting to the last byte. */
  readonly timeoutMs: number;
  /**
   * Holds the way to stop the exchange while it runs: one listener for all costs less than one for each. A list, for a set
   * that is written to all the time keeps what was deleted from it alive from one collection of garbage to the next.
   */
  readonly running: Stop[];
}

/**
 * Sends a request and gathers its answer. Takes what undici hands over as it comes: its own promise makes
 * a stream for each body and a resource for each request, which cost as much as all that we add.
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
      // An aborted request is settled already when undici reports the abort as an error.
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
      // Called just before the first byte is written; what was stopped by then is never sent.
      onRequestStart: (started) => {
        controller = started;
        if (broken !== undefined) {
          started.abort(new Error('stopped before it was sent'));
        }
      },
      // Also called for 1xx, before the answer.
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
