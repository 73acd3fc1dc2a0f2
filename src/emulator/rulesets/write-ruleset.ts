import type { ScopedCall } from '../call/call.ts';
import { checkEnrollment } from '../waf/migration-state.ts';
import { rendered } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import type { CallLocation } from '../call/call-location.ts';
import { latest, withNextVersion } from '../records/ruleset-record.ts';
import type { StoredRuleset, RuleDefinition } from '../records/ruleset-record.ts';
import type { ServiceClock } from '../environment/service-clock.ts';
import { refuse } from '../protocol/refusal.ts';
import { inEffect } from '../environment/service-clock.ts';
import type { EmulatedService } from '../call/service.ts';
import { isObject, listAt, numberAt, objectAt } from '../protocol/wire-object.ts';
import type { ZonePlanLevel } from '../records/directory-record.ts';
import type { Store } from '../store/store.ts';
import type { SettledRule, WriteContext } from './rule-identity.ts';
import { checkReferences, executedRulesets } from './ruleset-references.ts';
import { notEntitled, hasFeature, planOf, tooManyRulesets, entryPointOf } from './visible-phases.ts';
import { phaseRow } from './parameters/phase-rows.ts';
import { checkRatelimitEntitlement } from './ratelimit.ts';
import type { QuotaKey } from './parameters/phase-rows.ts';

type RuleLimitsByPlan = Readonly<Record<ZonePlanLevel, number>>;

const rulesProducts: RuleLimitsByPlan = { free: 10, pro: 25, business: 50, enterprise: 300 };

/** The maximum number of rules in a phase of a zone, by plan (api.md 8.1). */
export const ruleLimits: Readonly<Record<QuotaKey, RuleLimitsByPlan>> = {
  custom: { free: 5, pro: 20, business: 100, enterprise: 1000 },
  ratelimit: { free: 1, pro: 2, business: 5, enterprise: 5 },
  redirect: rulesProducts,
  transform: rulesProducts,
  config: rulesProducts,
  origin: rulesProducts,
  cache: rulesProducts,
  compression: rulesProducts,
  errors: { free: 0, pro: 25, business: 50, enterprise: 300 },
  bulk: { free: 15, pro: 15, business: 15, enterprise: 50 },
  overrides: { free: 1, pro: 1, business: 1, enterprise: 1 },
};

/** The limits that a feature raises, on the plan that can have the feature; an account's feature counts for all its zones. */
const raised: readonly {
  readonly key: QuotaKey;
  readonly plan: ZonePlanLevel;
  readonly feature: string;
  readonly to: number;
}[] = [
  { key: 'custom', plan: 'pro', feature: 'pro_plus', to: 40 },
  { key: 'ratelimit', plan: 'enterprise', feature: 'application_security', to: 100 },
  { key: 'overrides', plan: 'enterprise', feature: 'advanced_ddos', to: 10 },
];

/** The maximum number of custom rulesets of a zone or account in one phase, by plan. */
const rulesetLimits: RuleLimitsByPlan = { free: 1, pro: 2, business: 5, enterprise: 10 };

/** The maximum number of an account's rules in a phase (api.md 8.1). */
const ACCOUNT_RULES = 1000;

/** Checks the number of rules in a phase, counted over the entry point and the custom rulesets that it executes. */
function checkRuleQuota(store: Store, next: StoredRuleset, place: CallLocation): void {
  const max = ruleLimit(place);
  const count = countRules(store, next, place);
  if (max !== undefined && count > max) {
    const message = `exceeded the maximum number of rules in the phase ${place.phase}: ${count} out of ${max}`;
    throw refuse(400, message, { code: 50001 });
  }
}

/** Checks the number of custom rulesets before another one is created. */
export function checkRulesetQuota(store: Store, place: CallLocation): void {
  const present = store.rulesets
    .group(place.scope.owner)
    .filter((ruleset) => ruleset.kind === 'custom' && ruleset.phase === place.phase);
  if (place.kind === 'custom' && present.length >= rulesetLimits[planOf(place.scope)]) {
    throw tooManyRulesets('custom', place.phase);
  }
}

function ruleLimit(place: CallLocation): number | undefined {
  const key = phaseRow(place.phase)?.quota;
  if (key === undefined) {
    return undefined;
  }
  if (place.scope.kind === 'account' && key !== 'bulk' && key !== 'overrides') {
    return ACCOUNT_RULES;
  }
  const plan = planOf(place.scope);
  const more = raised.find(
    (row) => row.key === key && row.plan === plan && hasFeature(place.scope, row.feature),
  );
  return more?.to ?? ruleLimits[key][plan];
}

function countRules(store: Store, next: StoredRuleset, place: CallLocation): number {
  const owned = (id: string) => (id === next.id ? next : store.rulesets.get(id));
  const entryPoint = next.kind === 'custom' ? entryPointOf(store, place.scope.owner, place.phase) : next;
  const entryRules = entryPoint === undefined ? [] : latest(entryPoint).rules;
  // A custom ruleset that is being written counts even while no entry point executes it.
  const custom = [...new Set([...executedRulesets(entryRules), ...(next.kind === 'custom' ? [next.id] : [])])]
    .map(owned)
    .filter((ruleset) => ruleset?.kind === 'custom');
  return (
    entryRules.length +
    custom.reduce((sum, ruleset) => sum + (ruleset === undefined ? 0 : latest(ruleset).rules.length), 0)
  );
}

/** Checks that the scope's plan and features include its phase and what its rules use (api.md 4.4, 5, 8). */
function checkEntitlement(settled: readonly SettledRule[], place: CallLocation): void {
  const need = phaseRow(place.phase)?.accountNeeds;
  if (place.scope.kind === 'account' && need !== undefined && !hasFeature(place.scope, need)) {
    throw refuse(400, `not entitled to use the phase ${place.phase}`, { code: 50002 });
  }
  for (const { rule, pointer } of settled) {
    if (pointer !== undefined) {
      checkRule(rule.definition, place);
    }
  }
}

const ENTERPRISE = 'an Enterprise plan';
const ADVANCED_DDOS = 'an Advanced DDoS Protection plan';

/** What only Enterprise includes: a name for the message, and a test for a rule that uses it. */
const enterpriseOnly: readonly (readonly [string, (rule: RuleDefinition, place: CallLocation) => boolean])[] =
  [
    ['the log action', (rule) => rule.action === 'log'],
    [
      'a custom cache key',
      (rule) => objectAt(objectAt(parameters(rule), 'cache_key') ?? {}, 'custom_key') !== undefined,
    ],
    [
      'a host header override',
      (rule) => rule.action === 'route' && parameters(rule)['host_header'] !== undefined,
    ],
    ['an SNI override', (rule) => rule.action === 'route' && parameters(rule)['sni'] !== undefined],
    [
      'an origin host override',
      (rule) => rule.action === 'route' && objectAt(parameters(rule), 'origin')?.['host'] !== undefined,
    ],
    ['payload logging', (rule) => parameters(rule)['matched_data'] !== undefined],
  ];

/** The shortest edge TTL that each plan may set, in seconds (api.md 5.11; enforcement assumed). */
const MIN_EDGE_TTL = { free: 7200, pro: 3600, business: 1, enterprise: 1 } as const;

function checkRule(rule: RuleDefinition, place: CallLocation): void {
  if (planOf(place.scope) !== 'enterprise') {
    const used = enterpriseOnly.find(([, uses]) => uses(rule, place));
    if (used !== undefined) {
      throw notEntitled(used[0], ENTERPRISE);
    }
  }
  const shortest = MIN_EDGE_TTL[planOf(place.scope)];
  const edge = objectAt(parameters(rule), 'edge_ttl');
  const seconds = edge === undefined ? undefined : numberAt(edge, 'default');
  if (seconds !== undefined && seconds < shortest) {
    throw notEntitled(`an edge TTL of ${seconds} seconds`, 'a higher plan');
  }
  if (place.phase === 'ddos_l7' && rule.expression !== 'true' && !hasFeature(place.scope, 'advanced_ddos')) {
    throw notEntitled('an expression other than true', ADVANCED_DDOS);
  }
  if (place.phase === 'ddos_l7' && logsInOverride(rule) && !hasFeature(place.scope, 'advanced_ddos')) {
    throw notEntitled('an override with the log action', ADVANCED_DDOS);
  }
  if (rule.ratelimit !== undefined) {
    checkRatelimitEntitlement(rule.action, rule.ratelimit, place);
  }
}

/** Whether an override at any level has the action `log` (api.md 5.3). */
function logsInOverride(rule: RuleDefinition): boolean {
  const overrides = objectAt(parameters(rule), 'overrides') ?? {};
  return [overrides, ...listAt(overrides, 'categories'), ...listAt(overrides, 'rules')].some(
    (entry) => isObject(entry) && entry['action'] === 'log',
  );
}

function parameters(rule: RuleDefinition) {
  return rule.action_parameters ?? {};
}

// How often one ruleset may be written is not public, only that it depends on its size (api.md 1.7). Assumed here: ten
// writes in ten seconds, one fewer for each hundred rules, but at least two.
const WINDOW = 10_000;
const MOST = 10;
const LEAST = 2;

/** Refuses a write that follows too many recent writes to the same ruleset, whose versions tell when these happened. */
function checkWriteLimit(service: EmulatedService, ruleset: StoredRuleset): void {
  if (service.switches.rulesetWrites === 'unlimited') {
    return;
  }
  const now = service.clock.now();
  const times = ruleset.versions
    .map((version) => Date.parse(version.last_updated))
    .filter((time) => time > now - WINDOW);
  const rules = ruleset.versions.at(-1)?.rules.length ?? 0;
  const allowed = Math.max(LEAST, MOST - Math.floor(rules / 100));
  const [oldest] = times.slice(-allowed);
  if (times.length >= allowed && oldest !== undefined) {
    const wait = Math.max(1, Math.ceil((oldest + WINDOW - now) / 1000));
    throw refuse(429, 'the ruleset is being updated too often', { headers: { 'retry-after': String(wait) } });
  }
}

/** Action parameters that the service has removed, with their action and deprecation (api.md 12.1: Mirage). */
const REMOVED = [{ action: 'set_config', parameter: 'mirage', deprecation: 'mirage' }] as const;

/**
 * Refuses rules of a body that have a parameter which has been removed by now; rules that are kept unchanged may still
 * have it.
 */
function checkRemovedParameter(
  service: { readonly clock: ServiceClock },
  settled: readonly SettledRule[],
): void {
  const used = REMOVED.find(({ action, parameter }) =>
    settled.some(
      ({ rule, pointer }) =>
        pointer !== undefined &&
        rule.definition.action === action &&
        rule.definition.action_parameters?.[parameter] !== undefined,
    ),
  );
  if (used !== undefined && inEffect(service, used.deprecation)) {
    throw refuse(400, `invalid JSON: unknown field ${JSON.stringify(used.parameter)}`);
  }
}

/** Makes the context of one write; everything that it changes gets the same timestamp. */
export function writeContext(call: ScopedCall, ruleset: Omit<CallLocation, 'scope'>): WriteContext {
  return {
    service: call.service,
    place: { phase: ruleset.phase, kind: ruleset.kind, scope: call.scope },
    stamp: call.service.stamp(),
  };
}

/** The content of a ruleset's next version. */
export interface NextContent {
  /** Undefined keeps the current description. */
  readonly description?: string | undefined;
  readonly settled: readonly SettledRule[];
}

/**
 * Checks the whole list (migration, references, entitlements, quota: api.md 6.5 steps 10 to 12), stores it as the next
 * version and answers with the full ruleset.
 */
export function storeNext(
  context: WriteContext,
  ruleset: StoredRuleset,
  { description, settled }: NextContent,
): Answer {
  const next = withNextVersion(ruleset, {
    last_updated: context.stamp,
    description: description ?? (ruleset.versions.length === 0 ? '' : latest(ruleset).description),
    rules: settled.map(({ rule }) => rule),
  });
  const { service, place } = context;
  checkRemovedParameter(service, settled);
  checkEnrollment(service, next.versions.at(-1)?.rules ?? [], place);
  checkReferences(service, settled, place);
  checkEntitlement(settled, place);
  checkRuleQuota(service.store, next, place);
  checkWriteLimit(service, ruleset);
  service.store.rulesets.set(next.id, next);
  return rendered(service.render.full(next));
}
