import { systemClock } from '../api/clock.ts';

/** Today, `YYYY-MM-DD`, for what is said about dates. */
export function today(): string {
  return new Date(systemClock.now()).toISOString().slice(0, 10);
}
