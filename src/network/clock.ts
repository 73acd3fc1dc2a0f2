/** The time, as everything that waits sees it; tests have one of their own. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Waits; rejects with the signal's reason once that is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * The clock of the machine as it was when the program started, and the time since then: a clock that is set meanwhile would let a run wait
 * for hours, or forget what it has sent.
 */
export const systemClock: Clock = {
  now: () => Math.floor(performance.timeOrigin + performance.now()),
  sleep: async (ms, signal) => {
    const { setTimeout } = await import('node:timers/promises');
    await setTimeout(ms, undefined, signal === undefined ? {} : { signal });
  },
};
