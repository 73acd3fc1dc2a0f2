import { PLAN_LEVELS, planLevelOf } from './plan-level.ts';
import type { ScopeKind } from './scope.ts';

/** A limit on a number of rules, and the higher limit with an add-on, if there is one. */
export interface Quota {
  readonly limit: number;
  readonly extended?: { readonly limit: number; readonly by: string };
}

/** Limits by plan level, in the order of `PLAN_LEVELS`. */
type Row = readonly [free: number, pro: number, business: number, enterprise: number];

const TRAFFIC: Row = [10, 25, 50, 300];

/** Most rules of a phase in one zone, by plan level (api.md 4.2 and 8.1). */
const RULES: ReadonlyMap<string, Row> = new Map<string, Row>([
  ['http_request_firewall_custom', [5, 20, 100, 1000]],
  ['http_ratelimit', [1, 2, 5, 5]],
  ['http_request_dynamic_redirect', TRAFFIC],
  ['http_request_transform', TRAFFIC],
  ['http_request_late_transform', TRAFFIC],
  ['http_response_headers_transform', TRAFFIC],
  ['http_config_settings', TRAFFIC],
  ['http_request_origin', TRAFFIC],
  ['http_request_cache_settings', TRAFFIC],
  ['http_response_cache_settings', TRAFFIC],
  ['http_response_compression', TRAFFIC],
  ['http_custom_errors', [0, 25, 50, 300]],
  ['ddos_l7', [1, 1, 1, 1]],
]);

/** Limits with an add-on, for the plan that can have it (api.md 8.1). */
const EXTENDED: ReadonlyMap<string, { readonly plan: string; readonly limit: number; readonly by: string }> =
  new Map([
    ['http_ratelimit', { plan: 'enterprise', limit: 100, by: 'the application security package' }],
    ['ddos_l7', { plan: 'enterprise', limit: 10, by: 'advanced DDoS protection' }],
  ]);

const CUSTOM_RULESETS: Row = [1, 2, 5, 10];

/** Hard limit on an account's rules in a phase (api.md 8.1). */
const ACCOUNT_RULES = 1000;

/**
 * Returns how many rules a phase may have, counted over its entry point and the custom rulesets that it deploys. Undefined when there is no
 * limit or the plan level is not known: then the service decides.
 */
export function ruleQuota(phase: string, scope: ScopeKind, plan: string | undefined): Quota | undefined {
  const row = RULES.get(phase);
  if (row === undefined || scope === 'account') {
    return row === undefined || phase === 'ddos_l7' ? undefined : { limit: ACCOUNT_RULES };
  }
  if (plan === 'pro_plus') {
    return { limit: phase === 'http_request_firewall_custom' ? 40 : row[1] };
  }
  const limit = atPlan(row, plan);
  const more = EXTENDED.get(phase);
  if (limit === undefined || more === undefined || more.plan !== plan) {
    return limit === undefined ? undefined : { limit };
  }
  return { limit, extended: { limit: more.limit, by: more.by } };
}

/** Returns how many custom rulesets a zone or account may have (api.md 8.1); undefined when that is not known. */
export function customRulesetQuota(scope: ScopeKind, plan: string | undefined): number | undefined {
  return scope === 'account' ? CUSTOM_RULESETS[3] : atPlan(CUSTOM_RULESETS, planLevelOf(plan));
}

function atPlan(row: Row, plan: string | undefined): number | undefined {
  return row[PLAN_LEVELS.findIndex((level) => level === plan)];
}
