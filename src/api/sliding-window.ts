/** The start times of the last requests, at most as many as the window's limit. */
export interface SlidingWindow {
  /** The maximum number of requests in the window. */
  readonly limit: number;
  /** Length of the window, in milliseconds. */
  readonly ms: number;
  /** A ring buffer of at most `limit` times; the oldest is at `next` once the buffer is full. */
  readonly times: number[];
  next: number;
}

/** Creates a window without requests. */
export function openWindow(limit: number, ms: number): SlidingWindow {
  return { limit, ms, times: [], next: 0 };
}

/** Records the start of a request. */
export function record(window: SlidingWindow, now: number): void {
  window.times[window.next] = now;
  window.next = (window.next + 1) % window.limit;
}

/** Returns when the window has room for a request, with its limit divided by `slowness`. */
export function freeAt(window: SlidingWindow, slowness: number): number {
  const oldest = timeBefore(window, roomOf(window, slowness));
  return oldest === undefined ? -Infinity : oldest + window.ms;
}

/** Returns when a request can start that has `before` others ahead of it: one window after the request that starts `room` places earlier. */
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

/** Returns the start time of the request that is `back` places back; undefined when there were fewer. */
function timeBefore({ limit, times, next }: SlidingWindow, back: number): number | undefined {
  return times.length < back ? undefined : times[(next - back + limit) % limit];
}
