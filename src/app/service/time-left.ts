import { timeLeft } from '../../plan/requests/estimate.ts';
import type { ServiceOptions } from './service-options.ts';

/** Estimates the remaining time in milliseconds from the number of remaining items. */
export type TimeLeftEstimator = (itemsLeft: number) => number;

/** The requests that a run has sent, and how long these waited for their turn. */
export interface Sent {
  readonly requests: number;
  readonly waitedMs: number;
}

/**
 * Returns an estimator based on the throughput so far; `expected` is the number of requests of the whole work, each item takes at
 * least one.
 */
export function timeLeftEstimator(
  expected: number,
  { budget, clock }: Pick<ServiceOptions, 'budget' | 'clock'>,
  sent: () => Sent,
): TimeLeftEstimator {
  const start = { at: clock.now(), ...sent() };
  return (itemsLeft) => {
    const now = sent();
    const done = now.requests - start.requests;
    const remaining = itemsLeft === 0 ? 0 : Math.max(itemsLeft, expected - done);
    return timeLeft({
      sent: done,
      workedMs: Math.max(0, clock.now() - start.at - (now.waitedMs - start.waitedMs)),
      remaining,
      waitMs: remaining === 0 ? 0 : budget.waitFor(remaining),
    });
  };
}
