import { phaseFacts } from './phases.ts';
import type { LimitByPlan } from './phases.ts';
import type { ScopeKind } from './scope.ts';

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

/** A limit on a number of rules, and the higher limit with an add-on, if there is one. */
export interface Quota {
  readonly limit: number;
  readonly extended?: { readonly limit: number; readonly by: string };
}

/** Most custom rulesets of a zone; an account has as many as the highest plan (api.md 8.1). */
const CUSTOM_RULESETS: LimitByPlan = [1, 2, 5, 10];

/**
 * Returns how many rules a phase may have, counted over its entry point and the custom rulesets that it deploys. Undefined when there is no
 * limit or the plan level is not known: then the service decides.
 */
export function ruleQuota(phase: string, scope: ScopeKind, plan: string | undefined): Quota | undefined {
  const limits = phaseFacts(phase)?.limits;
  const limit =
    scope === 'account'
      ? limits?.account
      : plan === 'pro_plus' && limits?.proPlus !== undefined
        ? limits.proPlus
        : atPlan(limits?.zone, planLevelOf(plan));
  const extended = scope === 'zone' && plan === 'enterprise' ? limits?.extended : undefined;
  return limit === undefined ? undefined : { limit, ...(extended === undefined ? {} : { extended }) };
}

/** Returns how many custom rulesets a zone or account may have (api.md 8.1); undefined when that is not known. */
export function customRulesetQuota(scope: ScopeKind, plan: string | undefined): number | undefined {
  return atPlan(CUSTOM_RULESETS, scope === 'account' ? 'enterprise' : planLevelOf(plan));
}

/** Returns the limit at a plan level; undefined without limits, or when the level is not known. */
function atPlan(limits: LimitByPlan | undefined, plan: PlanLevel | undefined): number | undefined {
  return limits?.[PLAN_LEVELS.findIndex((level) => level === plan)];
}
