import { pauseAfter } from './retry-after.ts';
import type { RequestBudget } from './budget.ts';
import type { Clock } from '../network/clock.ts';
import type { Dispatch } from './dispatch.ts';
import type { TraceEvent } from './trace.ts';
import { traced } from './trace.ts';

/**
 * Delays each attempt as the request budget requires, and pauses all requests after a 429. The pause is set here because in the retry it
 * would come too late: the next request has the free slot by then.
 */
export function withRateLimit(
  dispatch: Dispatch,
  options: {
    readonly budget: RequestBudget;
    readonly clock: Clock;
    /** The longest pause. For a longer wait none is set: requests then fail with the service's response. */
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
