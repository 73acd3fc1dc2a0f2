import type { Clock } from '../network/index.ts';

/** Why a request has to wait: our own limit, a lower one after the service refused requests, or a pause that the service asked for. */
export type WaitReason = 'budget' | 'slowed' | 'pause';

/** Options of a request for its turn. */
export interface TurnOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called before each wait that this request itself causes, not while it queues behind another request. */
  readonly onWait?: (reason: WaitReason, ms: number) => void;
}

/** The budget of requests, shared by all workers that use the same credentials (api.md 1.7). */
export interface RequestBudget {
  /** The most requests in a window of the service's limit; fewer after a refusal. */
  readonly limit: number;
  /** Resolves when this request may be sent, in the order of the calls; rejects when aborted. */
  take(options?: TurnOptions): Promise<void>;
  /** Lets no request start before this time (milliseconds of the clock); an earlier time than that of a previous call changes nothing. */
  pauseUntil(time: number): void;
  /**
   * Records that the service refused a request, so somebody else uses the limit too: the limit halves, down to an eighth. Each window
   * without a refusal doubles it again.
   */
  refused(): void;
  /**
   * Returns the least time in milliseconds that the last of this many further requests must wait for the limits; the duration of the
   * requests is not included.
   */
  waitFor(requests: number): number;
}

/** Limits of a budget; the defaults are the service's (api.md 1.7). */
export interface BudgetOptions {
  readonly clock: Clock;
  /** Requests per window; 1,200 unless given. `Infinity` lifts the limit. */
  readonly limit?: number;
  /** Length of the window; 300,000 ms unless given. */
  readonly windowMs?: number;
  /**
   * The part of both limits that this program may use, from 0 to 1, or `Infinity` for no limits; 1 unless given. The rest is left to other
   * programs of the same user.
   */
  readonly share?: number;
  /** Requests per second from one address; 200 unless given. `Infinity` lifts the limit. */
  readonly limitPerSecond?: number;
  /** Added to each window, because requests do not arrive as evenly as they leave; 250 ms unless given. */
  readonly marginMs?: number;
}

/** The most that refusals divide the limit by. With less than an eighth of it a run would never end. */
const MAX_SLOWNESS = 8;

/**
 * Creates a budget with one sliding window over five minutes and one over a second, so that neither has more requests than the service
 * takes. Exceeding the limit costs five minutes of refusals; waiting is cheaper.
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
    limit: pace.limit,
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

/** Decides when requests may start. Times are milliseconds of a clock. */
interface Pace {
  readonly limit: number;
  /** Returns when the next request may start, and why it waits until then. */
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
  const ours = (requests: number): number => Math.max(1, Math.floor(requests * share));
  const opened = (requests: number, ms: number): readonly SlidingWindow[] =>
    requests === Infinity ? [] : [openWindow(requests, ms + marginMs)];
  const windows = [...opened(ours(limit), windowMs), ...opened(ours(limitPerSecond), 1000)];
  let slowness = 1;
  let slowedAt = -Infinity;
  let pausedUntil = -Infinity;
  return {
    limit: ours(limit),
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
      // Requests that are in flight together are refused together, which counts as one refusal.
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

/** The start times of the last requests, at most as many as the window's limit. */
interface SlidingWindow {
  /** The maximum number of requests in the window. */
  readonly limit: number;
  /** Length of the window, in milliseconds. */
  readonly ms: number;
  /** A ring buffer of at most `limit` times; the oldest is at `next` once the buffer is full. */
  readonly times: number[];
  next: number;
}

/** Creates a window without requests. */
function openWindow(limit: number, ms: number): SlidingWindow {
  return { limit, ms, times: [], next: 0 };
}

/** Records the start of a request. */
function record(window: SlidingWindow, now: number): void {
  window.times[window.next] = now;
  window.next = (window.next + 1) % window.limit;
}

/** Returns when the window has room for a request, with its limit divided by `slowness`. */
function freeAt(window: SlidingWindow, slowness: number): number {
  const oldest = timeBefore(window, roomOf(window, slowness));
  return oldest === undefined ? -Infinity : oldest + window.ms;
}

/** Returns when a request can start that has `before` others ahead of it: one window after the request that starts `room` places earlier. */
function startOf(
  window: SlidingWindow,
  { slowness, from, before }: { readonly slowness: number; readonly from: number; readonly before: number },
): number {
  const room = roomOf(window, slowness);
  const ahead = timeBefore(window, room - (before % room));
  return (
    Math.max(from, ahead === undefined ? from : ahead + window.ms) + Math.floor(before / room) * window.ms
  );
}

function roomOf({ limit }: SlidingWindow, slowness: number): number {
  return Math.max(1, Math.floor(limit / slowness));
}

/** Returns the start time of the request that is `back` places back; undefined when there were fewer. */
function timeBefore({ limit, times, next }: SlidingWindow, back: number): number | undefined {
  return times.length < back ? undefined : times[(next - back + limit) % limit];
}
