import type { RequestBudget } from '../../api/budget.ts';
import { createBudget } from '../../api/budget.ts';
import type { ServiceOptions } from './service-options.ts';

/** The request budget of a run: a share of the limit, by the clock of the run. */
export function runBudget({ clock, share = 1 }: Pick<ServiceOptions, 'clock' | 'share'>): RequestBudget {
  return createBudget({ clock, share });
}
