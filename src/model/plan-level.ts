/** Plan levels of a zone, lowest first (`plan.legacy_id` of a zone, api.md 13.4). */
export const PLAN_LEVELS = ['free', 'pro', 'business', 'enterprise'] as const;

/** A zone's plan level. */
export type PlanLevel = (typeof PLAN_LEVELS)[number];

/** Returns a plan's name as people write it, such as `Business`. */
export function planName(plan: string): string {
  return plan.replaceAll(
    /(^|_)([a-z])/gu,
    (_, gap: string, letter: string) => `${gap === '' ? '' : ' '}${letter.toUpperCase()}`,
  );
}

/** Returns the level of a plan by the service's name; `pro_plus` is Pro with more rules. Undefined if the level is not known. */
export function planLevelOf(plan: string | undefined): PlanLevel | undefined {
  return PLAN_LEVELS.find((level) => level === (plan === 'pro_plus' ? 'pro' : plan));
}
