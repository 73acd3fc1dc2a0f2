import { askedWait, pauseAfter } from './asked-wait.ts';
import type { Clock } from './clock.ts';
import type { Dispatch, WireRequest, WireResult } from './dispatch.ts';
import type { TraceEvent } from './trace.ts';
import { traced } from './trace.ts';
import { assertNever } from '../model/assert-never.ts';

/** What came of all attempts of one request. */
export interface Attempted {
  readonly result: WireResult;
  readonly attempts: number;
  /** How long the service asked to wait when that is longer than we wait; milliseconds. */
  readonly tooLong?: number;
}

/** How the retry waits. */
export interface RetryOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly maxWaitMs: number;
  readonly report: (event: TraceEvent) => void;
  readonly signal?: AbortSignal | undefined;
}

const MOST_ATTEMPTS = 4;
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 30_000;

/**
 * Sends again by what the request is. A read: after 429, 5xx and broken connections. A write: only when it is
 * certain that it did nothing, which is 429 (refused before it was looked at) and a connection that was
 * never made. A migration: never. Up to 4 attempts.
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
      if (wait === null || attempt === MOST_ATTEMPTS || !mayRepeat(request, result)) {
        return { result, attempts: attempt };
      }
      options.report({
        kind: 'retrying',
        ...traced({ ...request, attempt }),
        reason: reasonOf(result),
        ms: wait,
      });
      // After a 429 the budget lets nobody start before that, this one included.
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

/** Milliseconds before the next attempt; `null` for a result that another attempt cannot better. */
function waitAfter(result: WireResult, attempt: number, options: RetryOptions): number | null {
  if (!isPassing(result)) {
    return null;
  }
  const now = options.clock.now();
  if (result.kind === 'answered' && result.status === 429) {
    return pauseAfter(result, attempt, now);
  }
  const grown = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS);
  const own = Math.round(grown * (0.5 + options.random() / 2));
  return (result.kind === 'answered' && askedWait(result.headers, now)) || own;
}

function isPassing(result: WireResult): boolean {
  if (result.kind === 'answered') {
    return result.status === 429 || result.status >= 500;
  }
  return (
    result.reason === 'unreachable' ||
    result.reason === 'timeout' ||
    result.reason === 'lost' ||
    result.reason === 'garbled' ||
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

/** A wait that is stopped becomes a result: whatever went before had no effect, or we would not wait. */
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
