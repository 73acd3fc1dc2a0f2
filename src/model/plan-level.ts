/** Plan levels of a zone, lowest first (`plan.legacy_id` of a zone, api.md 13.4). */
export const PLAN_LEVELS = ['free', 'pro', 'business', 'enterprise'] as const;

/** A zone's plan level. */
export type PlanLevel = (typeof PLAN_LEVELS)[number];
