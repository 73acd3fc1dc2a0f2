import { systemClock } from '../../api/clock.ts';

/** Today as UTC has it, `YYYY-MM-DD`: the form of the days at which allowances and the like end. */
export function currentDay(): string {
  return new Date(systemClock.now()).toISOString().slice(0, 10);
}
