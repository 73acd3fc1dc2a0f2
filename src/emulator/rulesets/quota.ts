import { refuse } from '../protocol/refusal.ts';
import type { PlanLevel } from '../records/directory.ts';
import type { Store } from '../store/store.ts';
import { tooManyRulesets } from './errors.ts';
import { phaseRow } from './parameters/phases.ts';
import type { QuotaKey } from './parameters/phases.ts';
import { hasFeature, planOf } from './place.ts';
import type { Place } from '../call/place.ts';
import { executedRulesets } from './references.ts';
import { latest } from '../records/ruleset.ts';
import type { StoredRuleset } from '../records/ruleset.ts';
import { entryPointOf } from './visible.ts';

type ByPlan = Readonly<Record<PlanLevel, number>>;

const rulesProducts: ByPlan = { free: 10, pro: 25, business: 50, enterprise: 300 };

/** The maximum number of rules in a phase of a zone, by plan (api.md 8.1). */
export const ruleLimits: Readonly<Record<QuotaKey, ByPlan>> = {
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
  readonly plan: PlanLevel;
  readonly feature: string;
  readonly to: number;
}[] = [
  { key: 'custom', plan: 'pro', feature: 'pro_plus', to: 40 },
  { key: 'ratelimit', plan: 'enterprise', feature: 'application_security', to: 100 },
  { key: 'overrides', plan: 'enterprise', feature: 'advanced_ddos', to: 10 },
];

/** The maximum number of custom rulesets of a zone or account in one phase, by plan. */
const rulesetLimits: ByPlan = { free: 1, pro: 2, business: 5, enterprise: 10 };

/** The maximum number of an account's rules in a phase (api.md 8.1). */
const ACCOUNT_RULES = 1000;

/** Checks the number of rules in a phase, counted over the entry point and the custom rulesets that it executes. */
export function checkRuleQuota(store: Store, next: StoredRuleset, place: Place): void {
  const max = ruleLimit(place);
  const count = countRules(store, next, place);
  if (max !== undefined && count > max) {
    const message = `exceeded the maximum number of rules in the phase ${place.phase}: ${count} out of ${max}`;
    throw refuse(400, message, { code: 50001 });
  }
}

/** Checks the number of custom rulesets before another one is created. */
export function checkRulesetQuota(store: Store, place: Place): void {
  const present = store.rulesets
    .group(place.scope.owner)
    .filter((ruleset) => ruleset.kind === 'custom' && ruleset.phase === place.phase);
  if (place.kind === 'custom' && present.length >= rulesetLimits[planOf(place.scope)]) {
    throw tooManyRulesets('custom', place.phase);
  }
}

function ruleLimit(place: Place): number | undefined {
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

function countRules(store: Store, next: StoredRuleset, place: Place): number {
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
