import type { Clock } from '../network/clock.ts';
import type { SlidingWindow } from './sliding-window.ts';
import { freeAt, openWindow, record, startOf } from './sliding-window.ts';

/** Why a request has to wait: our own pace, a slower one since the service refused requests, or a pause that it asked for. */
export type WaitReason = 'budget' | 'slowed' | 'pause';

/** What a request may say when it asks for its turn. */
export interface TurnOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told before each wait that this request itself causes (not while it stands behind another). */
  readonly onWait?: (reason: WaitReason, ms: number) => void;
}

/** The one account of requests over all workers that share credentials (api.md 1.7). */
export interface RequestBudget {
  /** Resolves when the next request may be sent, in the order of asking; rejects when aborted. */
  take(options?: TurnOptions): Promise<void>;
  /** Lets nobody start before this time (milliseconds of the clock); an earlier time changes nothing. */
  pauseUntil(time: number): void;
  /**
   * The service refused a request, so somebody else uses the limit too: half as many from now on, down to an
   * eighth. Each window without a refusal doubles it again.
   */
  refused(): void;
  /** How long the last of so many more requests has to wait at least, in milliseconds: what the limits leave, without the time of answers. */
  waitFor(requests: number): number;
}

/** Bounds of a budget; the defaults are the service's (api.md 1.7). */
export interface BudgetOptions {
  readonly clock: Clock;
  /** Requests in a window; 1,200. `Infinity` lifts the bound. */
  readonly limit?: number;
  /** Length of the window; 300,000 ms. */
  readonly windowMs?: number;
  /** The part of both limits that is ours, from 0 to 1, or `Infinity` for no limits; 1. The rest is for others with the same user. */
  readonly share?: number;
  /** Requests in a second from one address; 200. `Infinity` lifts the bound. */
  readonly limitPerSecond?: number;
  /** Added to each window, because requests do not arrive as evenly as they leave; 250 ms. */
  readonly marginMs?: number;
}

/** A run takes an eighth of its limit at least, or it would never end. */
const MAX_SLOWNESS = 8;

/**
 * A sliding window over the last five minutes and one over the last second: never more requests in
 * either than the service takes. Being over the limit costs five minutes of refusals, waiting is cheaper.
 */
export function createBudget(options: BudgetOptions): RequestBudget {
  const { clock } = options;
  const pace = createPace(options);
  let last: Promise<void> = Promise.resolve();

  const wait = async ({ signal, onWait }: TurnOptions): Promise<void> => {
    for (;;) {
      signal?.throwIfAborted();
      const now = clock.now();
      const { until, reason } = pace.next(now);
      if (until <= now) {
        pace.start(now);
        return;
      }
      onWait?.(reason, until - now);
      await clock.sleep(until - now, signal);
    }
  };

  return {
    take: (turn = {}) => {
      const mine = last.then(() => wait(turn));
      last = mine.catch(() => undefined);
      return mine;
    },
    pauseUntil: pace.pauseUntil,
    refused: () => pace.refuse(clock.now()),
    waitFor: (requests) => pace.waitFor(requests, clock.now()),
  };
}

/** When requests may start; times are milliseconds of a clock. */
interface Pace {
  /** When the next request may start, and what it waits for until then. */
  readonly next: (now: number) => { readonly until: number; readonly reason: WaitReason };
  readonly start: (now: number) => void;
  readonly pauseUntil: (time: number) => void;
  readonly refuse: (now: number) => void;
  readonly waitFor: (requests: number, now: number) => number;
}

function createPace({
  limit = 1200,
  windowMs = 300_000,
  limitPerSecond = 200,
  marginMs = 250,
  share = 1,
}: BudgetOptions): Pace {
  const ours = (requests: number, ms: number): readonly SlidingWindow[] => {
    const part = Math.max(1, Math.floor(requests * share));
    return part === Infinity ? [] : [openWindow(part, ms + marginMs)];
  };
  const windows = [...ours(limit, windowMs), ...ours(limitPerSecond, 1000)];
  let slowness = 1;
  let slowedAt = -Infinity;
  let pausedUntil = -Infinity;
  return {
    next: (now) => {
      while (slowness > 1 && now - slowedAt >= windowMs) {
        slowness /= 2;
        slowedAt += windowMs;
      }
      const free = Math.max(...windows.map((window) => freeAt(window, slowness)), -Infinity);
      if (pausedUntil > free) {
        return { until: pausedUntil, reason: 'pause' };
      }
      return { until: free, reason: slowness > 1 ? 'slowed' : 'budget' };
    },
    start: (now) => windows.forEach((window) => record(window, now)),
    pauseUntil: (time) => {
      pausedUntil = Math.max(pausedUntil, time);
    },
    refuse: (now) => {
      // Requests that were under way together are refused together: that is one piece of news.
      if (now - slowedAt >= 1000 + marginMs) {
        slowness = Math.min(MAX_SLOWNESS, slowness * 2);
        slowedAt = now;
      }
    },
    waitFor: (requests, now) => {
      const from = Math.max(now, pausedUntil);
      const waits = windows.map((window) => startOf(window, { slowness, from, before: requests - 1 }) - now);
      return requests < 1 ? 0 : Math.max(from - now, ...waits);
    },
  };
}
