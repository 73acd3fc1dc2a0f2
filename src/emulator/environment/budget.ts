import type { Clock } from './clock.ts';

/** How many requests a user may make in how many seconds (api.md 1.7). */
export interface BudgetLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** The service's own budget. */
export const standardBudget: BudgetLimit = { requests: 1200, seconds: 300 };

/** Whether a request is within the budget, with the headers that tell its state. */
interface BudgetState {
  readonly allowed: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Counts the requests of users. */
export interface Budget {
  spend(user: string): BudgetState;
  reset(): void;
}

interface Window {
  readonly until: number;
  readonly used: number;
}

/**
 * A budget on a clock: a window opens with a user's first request; the request over the limit closes the door for a
 * whole window length from then on, as the service does.
 */
export function createBudget(limit: BudgetLimit, clock: Clock): Budget {
  const windows = new Map<string, Window>();
  const length = limit.seconds * 1000;
  return {
    spend: (user) => {
      const now = clock.now();
      const open = windows.get(user);
      const window = open === undefined || now >= open.until ? { until: now + length, used: 0 } : open;
      const used = window.used + 1;
      const allowed = used <= limit.requests;
      const until = used === limit.requests + 1 ? now + length : window.until;
      windows.set(user, { until, used });
      return { allowed, headers: headersOf(limit, { until, used }, now) };
    },
    reset: () => windows.clear(),
  };
}

function headersOf(limit: BudgetLimit, window: Window, now: number): Readonly<Record<string, string>> {
  const remaining = Math.max(0, limit.requests - window.used);
  const headers = {
    'x-ratelimit-limit': String(limit.requests),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': new Date(window.until).toUTCString(),
    // The pair that newer answers carry beside (api.md 1.7, form assumed).
    ratelimit: `"default";r=${remaining};t=${Math.ceil((window.until - now) / 1000)}`,
    'ratelimit-policy': `"default";q=${limit.requests};w=${limit.seconds}`,
  };
  return window.used > limit.requests
    ? { ...headers, 'retry-after': String(Math.ceil((window.until - now) / 1000)) }
    : headers;
}
