import { exhaustedFor } from './asked-wait.ts';
import type { RequestBudget } from './budget.ts';
import type { Clock } from './clock.ts';
import type { Dispatch } from './dispatch.ts';
import type { TraceEvent } from './trace.ts';
import { traced } from './trace.ts';

/** No pause that follows from a count of requests left is longer than the service's window (api.md 1.7). */
const LONGEST_PAUSE_MS = 300_000;

/** Lets each attempt wait for its turn, and slows all down once the service says that none are left. */
export function withBudget(
  dispatch: Dispatch,
  options: {
    readonly budget: RequestBudget;
    readonly clock: Clock;
    readonly report: (event: TraceEvent) => void;
    readonly signal?: AbortSignal;
  },
): Dispatch {
  const { budget, clock, report, signal } = options;
  return async (request) => {
    await budget.take({
      onWait: (reason, ms) => {
        report({ kind: 'waiting', ...traced(request), reason, ms });
      },
      ...(signal === undefined ? {} : { signal }),
    });
    const result = await dispatch(request);
    if (result.kind === 'answered') {
      const pause = exhaustedFor(result.headers, clock.now());
      if (pause !== null) {
        budget.pauseUntil(clock.now() + Math.min(pause, LONGEST_PAUSE_MS));
      }
    }
    return result;
  };
}
