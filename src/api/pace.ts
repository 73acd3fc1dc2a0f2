import { pauseAfter } from './asked-wait.ts';
import type { RequestBudget } from './budget.ts';
import type { Clock } from './clock.ts';
import type { Dispatch } from './dispatch.ts';
import type { TraceEvent } from './trace.ts';
import { traced } from './trace.ts';

/**
 * Lets each attempt wait for its turn, and makes all others wait when the service says so. That happens
 * here, before the next one gets the place of this one, and not only in the retry of the one that was refused.
 */
export function withBudget(
  dispatch: Dispatch,
  options: {
    readonly budget: RequestBudget;
    readonly clock: Clock;
    /** A longer pause is not waited for: those who ask then fail with the service's answer. */
    readonly maxWaitMs: number;
    readonly report: (event: TraceEvent) => void;
    readonly signal?: AbortSignal | undefined;
  },
): Dispatch {
  const { budget, clock, maxWaitMs, report, signal } = options;
  return async (request) => {
    await budget.take({
      onWait: (reason, ms) => {
        report({ kind: 'waiting', ...traced(request), reason, ms });
      },
      signal: request.insist ? undefined : signal,
    });
    const result = await dispatch(request);
    if (result.kind === 'answered') {
      if (result.status === 429) {
        budget.refused();
      }
      const pause = pauseAfter(result, request.attempt, clock.now());
      if (pause !== null && pause <= maxWaitMs) {
        budget.pauseUntil(clock.now() + pause);
      }
    }
    return result;
  };
}
