import type { Clock } from '../../network/clock.ts';
import { systemClock } from '../../network/clock.ts';

/** What a run goes by. */
export interface RunTime {
  /** What waiting, the journal and the days of the cache go by. */
  readonly clock: Clock;
  /** `YYYY-MM-DD` in UTC: the day by which allowances and the like end. A run over midnight plans and guards by one day. */
  readonly today: string;
}

/** The time of a run that begins now; by the clock of the machine unless another is given. */
export function runTime(clock: Clock = systemClock): RunTime {
  return { clock, today: new Date(clock.now()).toISOString().slice(0, 10) };
}
