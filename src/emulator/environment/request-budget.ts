import type { ServiceClock } from './service-clock.ts';

/** How many requests a user may make in how many seconds (api.md 1.7). */
export interface BudgetLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** The budget of the real service. */
export const standardBudget: BudgetLimit = { requests: 1200, seconds: 300 };

/** Whether a request is within the budget, and the headers that report the budget. */
interface BudgetState {
  readonly allowed: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Counts the requests of each user. */
export interface Budget {
  spend(user: string): BudgetState;
  reset(): void;
}

interface BudgetWindow {
  readonly until: number;
  readonly used: number;
}

/**
 * Creates a budget on a clock. A window opens with a user's first request. The first request over the limit shuts the
 * user out for one full window from then on, as in the real service.
 */
export function createBudget(limit: BudgetLimit, clock: ServiceClock): Budget {
  const windows = new Map<string, BudgetWindow>();
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

function headersOf(limit: BudgetLimit, window: BudgetWindow, now: number): Readonly<Record<string, string>> {
  const remaining = Math.max(0, limit.requests - window.used);
  const headers = {
    'x-ratelimit-limit': String(limit.requests),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': new Date(window.until).toUTCString(),
    // The two headers that newer answers carry as well (api.md 1.7, form assumed).
    ratelimit: `"default";r=${remaining};t=${Math.ceil((window.until - now) / 1000)}`,
    'ratelimit-policy': `"default";q=${limit.requests};w=${limit.seconds}`,
  };
  return window.used > limit.requests
    ? { ...headers, 'retry-after': String(Math.ceil((window.until - now) / 1000)) }
    : headers;
}
