import type { RequestBudget } from '../../api/budget.ts';
import { createBudget } from '../../api/budget.ts';
import type { Clock } from '../../network/clock.ts';
import { systemClock } from '../../network/clock.ts';

/** What a run is given of the service's request limit. */
interface BudgetShare {
  /** That of the run; the clock of the machine unless given. */
  readonly clock?: Clock;
  /** From 0 to 1; 1 unless given, `Infinity` where there is no limit. */
  readonly share?: number;
}

/** The request budget of a run, for all that it plans and applies. */
export function runBudget({ clock = systemClock, share = 1 }: BudgetShare = {}): RequestBudget {
  return createBudget({ clock, share });
}
