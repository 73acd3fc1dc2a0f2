/** The times of the last requests, as many as a window may have. */
export interface SlidingWindow {
  /** Requests in the window. */
  readonly limit: number;
  /** Length of the window, in milliseconds. */
  readonly ms: number;
  /** A ring of at most `limit` times; the oldest at `next`. */
  readonly times: number[];
  next: number;
}

/** A window in which nothing was sent yet. */
export function openWindow(limit: number, ms: number): SlidingWindow {
  return { limit, ms, times: [], next: 0 };
}

/** Notes that a request starts. */
export function record(window: SlidingWindow, now: number): void {
  window.times[window.next] = now;
  window.next = (window.next + 1) % window.limit;
}

/** When the window has room again, for the part of its limit that slowness leaves. */
export function freeAt(window: SlidingWindow, slowness: number): number {
  const oldest = timeBefore(window, roomOf(window, slowness));
  return oldest === undefined ? -Infinity : oldest + window.ms;
}

/** When a request starts that has so many others before it: one window after the one that is `room` places ahead of it. */
export function startOf(
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

/** When the request started that is so many places back; undefined where there were not so many. */
function timeBefore({ limit, times, next }: SlidingWindow, back: number): number | undefined {
  return times.length < back ? undefined : times[(next - back + limit) % limit];
}
