import { systemClock } from '../../api/clock.ts';
import { leastWait, timeLeft } from '../../plan/requests/estimate.ts';
import type { ServiceOptions } from './service-options.ts';

/** Tells about how many milliseconds work still takes, by the things that are left to do. */
export type Foresight = (thingsLeft: number) => number;

/** How long the last of so many requests has to wait at least; what the run has sent before counts. */
export function waitAhead(
  requests: number,
  { budget, share }: Pick<ServiceOptions, 'budget' | 'share'>,
): number {
  return budget === undefined ? leastWait(requests, share) : budget.waitFor(requests);
}

/** What a run has sent, and how long it has waited for its turn. */
export interface Sent {
  readonly requests: number;
  readonly waitedMs: number;
}

/** Foresees the rest of work that begins now and takes about so many requests; a thing takes one at least. */
export function foresightOf(
  expected: number,
  options: Pick<ServiceOptions, 'budget' | 'share' | 'clock'>,
  sent: () => Sent,
): Foresight {
  const { clock = systemClock } = options;
  const start = { at: clock.now(), ...sent() };
  return (thingsLeft) => {
    const now = sent();
    const done = now.requests - start.requests;
    const remaining = thingsLeft === 0 ? 0 : Math.max(thingsLeft, expected - done);
    return timeLeft({
      sent: done,
      workedMs: Math.max(0, clock.now() - start.at - (now.waitedMs - start.waitedMs)),
      remaining,
      waitMs: remaining === 0 ? 0 : waitAhead(remaining, options),
    });
  };
}
