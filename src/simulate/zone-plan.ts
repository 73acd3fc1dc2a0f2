import type { PlanLevel } from '../model/plan-level.ts';

/** How `cf.zone.plan` calls the plans (rules-language.md 4.1). */
export const PLAN_CODES: Readonly<Record<PlanLevel, string>> = {
  free: 'FREE',
  pro: 'PRO',
  business: 'BIZ',
  enterprise: 'ENT',
};
