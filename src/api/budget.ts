import type { Clock } from './clock.ts';

/** Why a request has to wait: our own pace, a slower one since the service refused requests, or a pause that it asked for. */
export type WaitReason = 'budget' | 'slowed' | 'pause';

/** What a request may say when it asks for its turn. */
export interface TurnOptions {
  readonly signal?: AbortSignal;
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

interface SlidingWindow {
  readonly limit: number;
  readonly ms: number;
  /** Times of the last `limit` requests; the oldest at `next`. */
  readonly times: number[];
  next: number;
}

/** A run takes an eighth of its limit at least, or it would never end. */
const MOST_SLOWNESS = 8;

/**
 * A sliding window over the last five minutes and one over the last second: never more requests in
 * either than the service takes. Being over the limit costs five minutes of refusals, waiting is cheaper.
 */
export function createBudget(options: BudgetOptions): RequestBudget {
  const { clock, limit = 1200, windowMs = 300_000, limitPerSecond = 200, marginMs = 250 } = options;
  const { share = 1 } = options;
  const windows = [
    { limit, ms: windowMs + marginMs },
    { limit: limitPerSecond, ms: 1000 + marginMs },
  ]
    .map((window): SlidingWindow => ({
      ...window,
      limit: Math.max(1, Math.floor(window.limit * share)),
      times: [],
      next: 0,
    }))
    .filter((window) => window.limit !== Infinity);
  let slowness = 1;
  let slowedAt = -Infinity;
  let pausedUntil = -Infinity;
  let last: Promise<void> = Promise.resolve();

  const wait = async (turn: TurnOptions): Promise<void> => {
    for (;;) {
      turn.signal?.throwIfAborted();
      const now = clock.now();
      while (slowness > 1 && now - slowedAt >= windowMs) {
        slowness /= 2;
        slowedAt += windowMs;
      }
      const free = Math.max(...windows.map((window) => freeAt(window, slowness)), -Infinity);
      const until = Math.max(free, pausedUntil);
      if (until <= now) {
        windows.forEach((window) => record(window, now));
        return;
      }
      turn.onWait?.(pausedUntil > free ? 'pause' : slowness > 1 ? 'slowed' : 'budget', until - now);
      await clock.sleep(until - now, turn.signal);
    }
  };

  return {
    take: (turn = {}) => {
      const mine = last.then(() => wait(turn));
      last = mine.catch(() => undefined);
      return mine;
    },
    pauseUntil: (time) => {
      pausedUntil = Math.max(pausedUntil, time);
    },
    refused: () => {
      const now = clock.now();
      // Requests that were under way together are refused together: that is one piece of news.
      if (now - slowedAt >= 1000 + marginMs) {
        slowness = Math.min(MOST_SLOWNESS, slowness * 2);
        slowedAt = now;
      }
    },
    waitFor: (requests) => {
      const now = clock.now();
      const from = Math.max(now, pausedUntil);
      const waits = windows.map((window) => startOf(window, { slowness, from, before: requests - 1 }) - now);
      return requests < 1 ? 0 : Math.max(from - now, ...waits);
    },
  };
}

/** When the window has room again, for the part of its limit that slowness leaves. */
function freeAt({ limit, ms, times, next }: SlidingWindow, slowness: number): number {
  const room = Math.max(1, Math.floor(limit / slowness));
  const oldest = times.length < room ? undefined : times[(next - room + limit) % limit];
  return oldest === undefined ? -Infinity : oldest + ms;
}

/** When a request starts that has so many others before it: one window after the one that is `room` places ahead of it. */
function startOf(
  { limit, ms, times, next }: SlidingWindow,
  { slowness, from, before }: { readonly slowness: number; readonly from: number; readonly before: number },
): number {
  const room = Math.max(1, Math.floor(limit / slowness));
  const back = room - (before % room);
  const ahead = times.length < back ? undefined : times[(next - back + limit) % limit];
  return Math.max(from, ahead === undefined ? from : ahead + ms) + Math.floor(before / room) * ms;
}

function record(window: SlidingWindow, now: number): void {
  window.times[window.next] = now;
  window.next = (window.next + 1) % window.limit;
}
