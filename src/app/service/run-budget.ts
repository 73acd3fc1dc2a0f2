import type { RequestBudget } from '../../api/index.ts';
import { createBudget } from '../../api/index.ts';
import type { Clock } from '../../network/index.ts';
import { systemClock } from '../../network/index.ts';

/** The share of the service's request limit that a run may use. */
interface BudgetShare {
  /** The clock of the run; that of the machine unless given. */
  readonly clock?: Clock;
  /** The share, from 0 to 1; 1 unless given, `Infinity` for no limit. */
  readonly share?: number;
}

/** Creates the request budget of a run, for all that it plans and applies. */
export function runBudget({ clock = systemClock, share = 1 }: BudgetShare = {}): RequestBudget {
  return createBudget({ clock, share });
}
