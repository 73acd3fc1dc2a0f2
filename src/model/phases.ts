import type { ScopeKind } from './scope.ts';

/** The side of an exchange that a phase works on. */
export type PhaseStage = 'network' | 'request' | 'response';

/** A row of the phase table in api.md 4.2. */
export interface PhaseFacts {
  readonly name: string;
  readonly product: string;
  readonly stage: PhaseStage;
  /** Scope kinds that can have an entry point of this phase. */
  readonly entrypoints: readonly ScopeKind[];
  /** Scope kinds that can have custom rulesets of this phase. */
  readonly custom: readonly ScopeKind[];
}

const ZONE = ['zone'] as const;
const ACCOUNT = ['account'] as const;
const BOTH = ['zone', 'account'] as const;
const NONE = [] as const;

/** All phases in the order in which an exchange goes through them (api.md 4.2, 4.3). */
const TABLE = [
  ['ddos_l4', 'Network-layer DDoS', 'network', ACCOUNT, NONE],
  ['magic_transit', 'Magic Firewall', 'network', ACCOUNT, ACCOUNT],
  ['magic_transit_managed', 'Magic Firewall managed rules', 'network', ACCOUNT, NONE],
  ['magic_transit_ratelimit', 'Magic rate limiting', 'network', ACCOUNT, NONE],
  ['magic_transit_ids_managed', 'Intrusion detection', 'network', ACCOUNT, NONE],
  ['http_request_sanitize', 'URL normalization', 'request', ZONE, NONE],
  ['http_request_dynamic_redirect', 'Single redirects', 'request', ZONE, NONE],
  ['http_request_transform', 'URL rewrites', 'request', BOTH, NONE],
  ['http_config_settings', 'Configuration rules', 'request', ZONE, NONE],
  ['http_request_origin', 'Origin rules', 'request', ZONE, NONE],
  ['ddos_l7', 'HTTP DDoS', 'request', BOTH, NONE],
  ['http_request_firewall_custom', 'WAF custom rules', 'request', BOTH, BOTH],
  ['http_ratelimit', 'Rate limiting rules', 'request', BOTH, ACCOUNT],
  ['http_request_firewall_managed', 'WAF managed rules', 'request', BOTH, ACCOUNT],
  ['http_request_sbfm', 'Super Bot Fight Mode', 'request', ZONE, NONE],
  ['http_request_redirect', 'Bulk redirects', 'request', ACCOUNT, NONE],
  ['http_request_late_transform', 'Request header transforms', 'request', BOTH, NONE],
  ['http_request_cache_settings', 'Cache rules', 'request', ZONE, NONE],
  ['http_response_cache_settings', 'Cache response rules', 'response', ZONE, NONE],
  ['http_custom_errors', 'Custom errors', 'response', BOTH, NONE],
  ['http_response_headers_transform', 'Response header transforms', 'response', BOTH, NONE],
  ['http_response_compression', 'Compression rules', 'response', ZONE, NONE],
  ['http_response_firewall_managed', 'Sensitive data detection', 'response', BOTH, NONE],
  ['http_log_custom_fields', 'Custom log fields', 'response', ZONE, NONE],
] as const;

/** Every phase, in order of execution. */
export const PHASES: readonly PhaseFacts[] = TABLE.map(([name, product, stage, entrypoints, custom]) => ({
  name,
  product,
  stage,
  entrypoints,
  custom,
}));

const ORDER: ReadonlyMap<string, number> = new Map(PHASES.map((phase, index) => [phase.name, index]));

/** Returns the facts of a phase; undefined if this version does not know it. */
export function phaseFacts(name: string): PhaseFacts | undefined {
  return PHASES[ORDER.get(name) ?? -1];
}

/** Phases whose rules are written through another interface, with the reason for messages (api.md 4.1, 4.2). */
export const WRITTEN_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['http_request_sbfm', 'the bot settings write its rules, not this interface'],
]);

/** Whether the managed rules of a phase, those against DDoS, always run, and rules of the phase only adjust them (api.md 4.4, 5.3). */
export function isAlwaysOn({ phase }: { readonly phase: string }): boolean {
  return phase === 'ddos_l4' || phase === 'ddos_l7';
}

/** Returns a phase's position in the order of execution; unknown phases come last. */
export function phaseOrder(name: string): number {
  return ORDER.get(name) ?? PHASES.length;
}

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

/** Limits by plan level, in the order of `PLAN_LEVELS`. */
type LimitByPlan = readonly [free: number, pro: number, business: number, enterprise: number];

const TRAFFIC: LimitByPlan = [10, 25, 50, 300];

/** Most rules of a phase in one zone, by plan level (api.md 4.2 and 8.1). */
const RULES: ReadonlyMap<string, LimitByPlan> = new Map<string, LimitByPlan>([
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

const CUSTOM_RULESETS: LimitByPlan = [1, 2, 5, 10];

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

function atPlan(row: LimitByPlan, plan: string | undefined): number | undefined {
  return row[PLAN_LEVELS.findIndex((level) => level === plan)];
}
