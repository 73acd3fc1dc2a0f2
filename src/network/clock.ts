/** The clock of everything that waits; tests replace it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Waits; rejects with the signal's reason once the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Starts at the system time of program start and adds the time elapsed since: a system clock that is set meanwhile would let a run wait for
 * hours, or forget what it has sent.
 */
export const systemClock: Clock = {
  now: () => Math.floor(performance.timeOrigin + performance.now()),
  sleep: async (ms, signal) => {
    const { setTimeout } = await import('node:timers/promises');
    await setTimeout(ms, undefined, signal === undefined ? {} : { signal });
  },
};
