import type { Clock } from '../src/network/clock.ts';

/** A clock on which waiting takes no time: when somebody sleeps, it jumps to the time at which the first sleeper wakes. */
export interface FakeClock extends Clock {
  /** The durations of all sleeps, in milliseconds, in order. */
  readonly slept: readonly number[];
  /** Lets time pass without anybody sleeping. */
  advance(ms: number): void;
}

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/** A virtual clock that starts at `start` (2026-01-01T00:00:00Z unless given). */
export function createFakeClock(start: number = Date.UTC(2026, 0, 1)): FakeClock {
  let time = start;
  let sleepers: Sleeper[] = [];
  const slept: number[] = [];

  const wakeDue = (): void => {
    const due = sleepers.filter((sleeper) => sleeper.due <= time);
    sleepers = sleepers.filter((sleeper) => sleeper.due > time);
    due.sort((a, b) => a.due - b.due).forEach((sleeper) => sleeper.wake());
  };
  const jump = (): void => {
    if (sleepers.length > 0) {
      time = Math.max(time, Math.min(...sleepers.map((sleeper) => sleeper.due)));
      wakeDue();
    }
  };

  return {
    slept,
    now: () => time,
    sleep: (ms, signal) => {
      slept.push(ms);
      return new Promise((resolve, reject) => {
        const sleeper: Sleeper = { due: time + ms, wake: resolve };
        const stop = (): void => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          reject(signal?.reason as Error);
        };
        if (signal?.aborted === true) {
          stop();
          return;
        }
        signal?.addEventListener('abort', stop, { once: true });
        sleepers.push(sleeper);
        setImmediate(jump);
      });
    },
    advance: (ms) => {
      time += ms;
      wakeDue();
    },
  };
}
