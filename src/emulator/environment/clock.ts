/** The service's time in milliseconds since 1970: everything that depends on a date or a wait reads it. */
export interface Clock {
  now(): number;
}

/** A clock that can be set and advanced; the control endpoint `/_emulator/clock` does both. */
export interface SettableClock extends Clock {
  set(milliseconds: number): void;
  advance(milliseconds: number): void;
}

/** Creates a clock that follows the machine's time; after it is set or advanced, it keeps running from there. */
export function runningClock(): SettableClock {
  let shift = 0;
  return {
    now: () => Date.now() + shift,
    set: (milliseconds) => {
      shift = milliseconds - Date.now();
    },
    advance: (milliseconds) => {
      shift += milliseconds;
    },
  };
}

/** Creates a clock that stands still until it is set or advanced, for tests. */
export function fakeClock(start: number | string = '2026-01-02T03:04:05Z'): SettableClock {
  let now = typeof start === 'number' ? start : Date.parse(start);
  return {
    now: () => now,
    set: (milliseconds) => {
      now = milliseconds;
    },
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}

/** Whether a clock can be set. */
export function isSettable(clock: Clock): clock is SettableClock {
  return 'set' in clock && 'advance' in clock;
}

/**
 * Creates a source of timestamps in the service's format: RFC 3339, UTC, six decimals (api.md 3.1). Two timestamps of
 * one source are never equal, even within one millisecond.
 */
export function stampSource(clock: Clock): () => string {
  let last = 0;
  return () => {
    last = Math.max(last + 1, Math.floor(clock.now()) * 1000);
    const whole = new Date(Math.floor(last / 1000)).toISOString();
    return `${whole.slice(0, -1)}${String(last % 1000).padStart(3, '0')}Z`;
  };
}
