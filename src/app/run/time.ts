import type { Clock } from '../../network/index.ts';
import { systemClock } from '../../network/index.ts';

/** The clock and the date of a run. */
export interface RunTime {
  /** The clock for waits, for the journal and for the days of the cache. */
  readonly clock: Clock;
  /**
   * `YYYY-MM-DD` in UTC: the day that decides whether allowances and the like have ended. A run across midnight plans and guards by
   * one day.
   */
  readonly today: string;
}

/** Returns the time of a run that begins now; by the clock of the machine unless another is given. */
export function runTime(clock: Clock = systemClock): RunTime {
  return { clock, today: new Date(clock.now()).toISOString().slice(0, 10) };
}
