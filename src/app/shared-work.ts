import type { Clock } from '../api/clock.ts';
import { systemClock } from '../api/clock.ts';
import { createRecentRulesets } from '../api/recent-rulesets.ts';
import type { ServiceOptions } from './service-options.ts';

/** What planning and applying of one run share: the request budgets, and what was read a moment ago. */
export type SharedWork = Required<Pick<ServiceOptions, 'budgets' | 'recent'>>;

/** For one run; a run that plans now and applies now goes by what it has just read. */
export function shareWork(clock: Clock = systemClock): SharedWork {
  return { budgets: new Map(), recent: createRecentRulesets(clock) };
}
