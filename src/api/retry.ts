import type { Clock } from '../network/index.ts';
import { assertNever } from '../data/index.ts';
import { retryAfter, pauseAfter } from './retry-after.ts';
import type { Dispatch, WireRequest, WireResult } from './request.ts';
import type { TraceEvent } from './trace-events.ts';
import { traced } from './trace-events.ts';

/** The result of all attempts of one request. */
export interface Attempted {
  readonly result: WireResult;
  readonly attempts: number;
  /** The wait in milliseconds that the service asked for, when it is longer than `maxWaitMs`. */
  readonly tooLong?: number;
}

/** Options of the retry. */
export interface RetryOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly maxWaitMs: number;
  readonly report: (event: TraceEvent) => void;
  readonly signal?: AbortSignal | undefined;
}

const MAX_ATTEMPTS = 4;
const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 30_000;

/**
 * Retries by the kind of the request. A read: after 429, 5xx and broken connections. A write: only when it is certain that it had no
 * effect, that is, after a 429 (refused before processing) or when no connection was made. A migration: never. At most 4 attempts.
 */
export function withRetry(
  dispatch: Dispatch,
  options: RetryOptions,
): (request: WireRequest) => Promise<Attempted> {
  return async (request) => {
    for (let attempt = 1; ; attempt += 1) {
      const result = await stoppable(
        () => dispatch(attempt === 1 ? request : { ...request, attempt }),
        options.signal,
      );
      const wait = waitAfter(result, attempt, options);
      if (wait !== null && wait > options.maxWaitMs) {
        return { result, attempts: attempt, tooLong: wait };
      }
      if (wait === null || attempt === MAX_ATTEMPTS || !mayRepeat(request, result)) {
        return { result, attempts: attempt };
      }
      options.report({
        kind: 'retrying',
        ...traced({ ...request, attempt }),
        reason: reasonOf(result),
        ms: wait,
      });
      // After a 429 the rate limiter delays all requests, this one included.
      const isLimited = result.kind === 'answered' && result.status === 429;
      const stopped = isLimited
        ? null
        : await sleep(wait, options.clock, request.insist ? undefined : options.signal);
      if (stopped !== null) {
        return { result: stopped, attempts: attempt };
      }
    }
  };
}

/** Returns the milliseconds until the next attempt; `null` for a result that is not transient. */
function waitAfter(result: WireResult, attempt: number, options: RetryOptions): number | null {
  if (!isTransient(result)) {
    return null;
  }
  const now = options.clock.now();
  if (result.kind === 'answered' && result.status === 429) {
    return pauseAfter(result, attempt, now);
  }
  const backoff = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), MAX_DELAY_MS);
  const withJitter = Math.round(backoff * (0.5 + options.random() / 2));
  return (result.kind === 'answered' && retryAfter(result.headers, now)) || withJitter;
}

function isTransient(result: WireResult): boolean {
  if (result.kind === 'answered') {
    return result.status === 429 || result.status >= 500;
  }
  return (
    result.reason === 'unreachable' ||
    result.reason === 'timeout' ||
    result.reason === 'lost' ||
    result.reason === 'corrupt-body' ||
    (result.reason === 'proxy' && !result.detail.startsWith('4')) ||
    result.detail === 'EAI_AGAIN'
  );
}

function mayRepeat(request: WireRequest, result: WireResult): boolean {
  switch (request.repeat) {
    case 'read':
      return true;
    case 'write':
      return result.kind === 'answered' ? result.status === 429 : !result.sent;
    case 'never':
      return false;
    default:
      return assertNever(request.repeat);
  }
}

function reasonOf(result: WireResult): string {
  return result.kind === 'answered' ? String(result.status) : result.detail;
}

function sleep(ms: number, clock: Clock, signal: AbortSignal | undefined): Promise<WireResult | null> {
  return stoppable(async () => {
    await clock.sleep(ms, signal);
    return null;
  }, signal);
}

/** Turns an aborted wait into a result. It counts as not sent: a request that waits to be repeated had no effect. */
async function stoppable<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result | WireResult> {
  try {
    return await work();
  } catch (error) {
    if (signal?.aborted === true) {
      return { kind: 'broken', reason: 'aborted', sent: false, detail: 'stopped while it waited' };
    }
    throw error;
  }
}
