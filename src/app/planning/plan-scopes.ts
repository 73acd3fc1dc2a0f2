import type { RequestBudget, ReadClient } from '../../api/index.ts';
import type { Clock } from '../../network/index.ts';
import { readAhead } from '../../config/index.ts';
import type { ManagedRulesets, RulesetCache, ScopeReading } from '../../live/index.ts';
import { readExecuted, createManagedRulesets, NO_CACHE, readScopes } from '../../live/index.ts';
import { RulewrightError } from '../../model/index.ts';
import type {
  ManagedLock,
  PlannedScope,
  ScopePlan,
  DesiredRuleset,
  Scope,
  Safety,
  DesiredScope,
  LiveScope,
} from '../../model/index.ts';
import {
  guardScope,
  hideReplaced,
  hideSecrets,
  factsOf,
  followingLists,
  readingRequests,
  scopeRequests,
  namingUndeclared,
  owningAll,
  notingOthers,
  planScope,
  unreadExecuted,
  onlyStrengthening,
} from '../../plan/index.ts';
import type { ScopeFacts } from '../../plan/index.ts';
import type { OnEvent } from '../run/events.ts';
import { compareLock, explainPlan } from '../managed/explain-plan.ts';
import type { Service } from '../service/open-service.ts';
import { CREDENTIAL_ERRORS } from '../service/credential-errors.ts';
import type { RequestBound } from '../service/request-bound.ts';
import { ALL_SCOPES, admitWithin } from '../service/request-bound.ts';
import { planError } from '../service/plan-error.ts';
import type { ProjectSecrets } from '../project/project-secrets.ts';
import { mayHoldSecret } from '../project/sensitive-in.ts';
import type { PlanPurpose } from '../project/selection.ts';
import type { ListCheck } from './list-check.ts';
import type { ListPlanner } from './list-planner.ts';
import { createListPlanner } from './list-planner.ts';
import { planZoneSettings } from './plan-zone-settings.ts';
import type { PlacedErrors } from './placed-errors.ts';
import type { Extension } from '../run/extension.ts';
import { findGates } from '../run/extension.ts';

/** What planning needs besides the scopes. */
export interface PlanScopesOptions {
  readonly service: Service<ReadClient>;
  /** All scopes of the run, those of other shards included. */
  readonly whole: readonly DesiredScope[];
  readonly secrets: ProjectSecrets;
  /** Returns what the files declared at the compared revision for a scope that had sensitive values there. */
  readonly before?: ((scope: Scope) => readonly DesiredRuleset[]) | undefined;
  readonly safety: Safety;
  /** `YYYY-MM-DD`, for allowances that end. */
  readonly today: string;
  readonly concurrency: number;
  readonly budget: RequestBudget;
  readonly bound?: RequestBound | undefined;
  readonly clock: Clock;
  readonly report: OnEvent;
  readonly lists: ListCheck;
  readonly placed: PlacedErrors;
  /** The managed rules that overrides matched when the lock was written; null: they are not compared. */
  readonly lock: ManagedLock | null;
  readonly purpose: PlanPurpose;
  readonly extension: Extension | undefined;
  /** Whether the run is about parts of scopes, so that what it does not declare may be declared elsewhere. */
  readonly isPart: boolean;
  /** As in `PlanSelection`. */
  readonly only?: 'strengthening' | undefined;
}

/** The plan of a scope, with its facts for the whole plan. */
export interface PlannedPart {
  readonly plan: ScopePlan;
  readonly facts: ScopeFacts;
}

/**
 * Plans scopes side by side, as they are read; returns the plans in the order of the files. A scope that cannot be read fails alone:
 * a failed read is never taken for "empty".
 */
export async function planScopes(
  scopes: readonly DesiredScope[],
  options: PlanScopesOptions,
): Promise<readonly PlannedPart[]> {
  const { service, report, concurrency } = options;
  const plans = new Map<DesiredScope, PlannedPart>();
  const admission =
    options.bound === undefined
      ? ALL_SCOPES
      : await admitWithin(options.bound, { service, report, clock: options.clock });
  // The first place that names each variable, so that all scopes without that token share one error.
  const named = new Map(scopes.map(({ tokenEnv, tokenCause }) => [tokenEnv, tokenCause] as const).reverse());
  const clientFor = ({ tokenEnv }: DesiredScope): ReadClient => service.client(tokenEnv, named.get(tokenEnv));
  const cacheFor = (desired: DesiredScope): RulesetCache => cacheOf(desired, options);
  const planner = await createListPlanner(options.whole, clientFor);
  const means = { ...options, planner, managed: createManagedRulesets() };
  const waiting: { readonly desired: DesiredScope; readonly plan: PlannedScope }[] = [];
  // Nothing is requested for a scope without credentials.
  const askable = scopes.filter((scope) => hasCredentials(() => clientFor(scope)));
  const requests = askable.length === 0 ? 0 : await estimate(askable, cacheFor, options);
  report({ kind: 'scopes', total: scopes.length });
  const timeLeft = service.timeLeft(requests);
  const { admit } = admission;
  try {
    const readings = readScopes(admission.order(scopes), { clientFor, cacheFor, admit, concurrency });
    const settle = (desired: DesiredScope, plan: ScopePlan): void => {
      plans.set(desired, { plan, facts: factsOf(plan) });
      const done = plans.size;
      const total = scopes.length;
      report({ kind: 'scope-planned', plan, done, total, leftMs: timeLeft(total - done) });
    };
    for await (const reading of readings) {
      const { desired } = reading;
      const plan = await planOne(reading, means);
      admission.ended(desired);
      // What a change of a list does is known once all rules that name it are.
      if (plan.kind === 'planned' && desired.lists !== undefined) {
        waiting.push({ desired, plan });
      } else {
        settle(desired, plan);
      }
    }
    const { safety, today, only } = options;
    for (const { desired, plan } of waiting) {
      const known = { client: clientFor(desired), cache: cacheFor(desired), safety, today, only };
      settle(desired, await planner.finish(plan, desired, known));
    }
  } finally {
    await admission.close();
  }
  const parts = scopes.flatMap((scope) => plans.get(scope) ?? []);
  const followed = followingLists(parts.map(({ plan }) => plan));
  return parts.map((part, at) => {
    const plan = followed[at] ?? part.plan;
    return plan === part.plan ? part : { plan, facts: factsOf(plan) };
  });
}

function cacheOf(
  desired: DesiredScope,
  { service, secrets }: Pick<PlanScopesOptions, 'service' | 'secrets'>,
): RulesetCache {
  return mayHoldSecret(secrets, desired) ? NO_CACHE : service.cache(desired.tokenEnv);
}

function hasCredentials(open: () => ReadClient): boolean {
  try {
    open();
    return true;
  } catch (error) {
    if (error instanceof RulewrightError && CREDENTIAL_ERRORS.has(error.code)) {
      return false;
    }
    throw error;
  }
}

/** Estimates how many requests the reading takes, reports and returns it. */
async function estimate(
  scopes: readonly DesiredScope[],
  cacheFor: (desired: DesiredScope) => RulesetCache,
  { bound, report, budget }: PlanScopesOptions,
): Promise<number> {
  const atMost = (requests: number): number => Math.min(requests, bound?.most ?? Infinity);
  const foreseen = new Map<DesiredScope, number>();
  for await (const [scope, requests] of readAhead(scopes, (one) => estimateRequests(one, cacheFor))) {
    if (requests !== null) {
      foreseen.set(scope, requests);
    }
  }
  const requests = atMost(readingRequests(scopes, (scope) => foreseen.get(scope) ?? scopeRequests(scope)));
  report({
    kind: 'estimate',
    work: 'plan',
    requests,
    uncached: atMost(readingRequests(scopes)),
    leastWaitMs: budget.waitFor(requests),
    limit: budget.limit,
  });
  return requests;
}

/** Estimates the requests of a scope from its last reading; null if nothing is known of it. */
async function estimateRequests(
  scope: DesiredScope,
  cacheFor: (desired: DesiredScope) => RulesetCache,
): Promise<readonly [DesiredScope, number | null]> {
  try {
    return [scope, await cacheFor(scope).estimateRequests(scope)];
  } catch (error) {
    if (error instanceof RulewrightError) {
      // A scope without its token fails later, when it is read.
      return [scope, null];
    }
    throw error;
  }
}

async function planOne(
  reading: ScopeReading,
  options: PlanScopesOptions & { readonly managed: ManagedRulesets; readonly planner: ListPlanner },
): Promise<ScopePlan> {
  if (reading.kind === 'failed') {
    const error = planError(reading.errors);
    options.placed.scope(error, reading.desired);
    return { kind: 'failed', scope: reading.desired.scope, error };
  }
  const { desired } = reading;
  const client = options.service.client(desired.tokenEnv);
  const cache = cacheOf(reading.desired, options);
  const { plan: whole, live } = await planKnown(desired, reading.live, { client, cache });
  if (whole.kind === 'failed') {
    options.placed.references(whole.error, desired);
    return whole;
  }
  const part = options.only === undefined ? whole : onlyStrengthening({ plan: whole, desired, live });
  if (part.kind === 'failed') {
    return part;
  }
  options.planner.note(part, live);
  const { purpose } = options;
  const told = purpose.kind === 'drift' ? notingOthers(part, desired, live) : part;
  const isNamed =
    !options.isPart && purpose.kind !== 'migration' && desired.rulesetOwnership !== 'everything';
  const plan = isNamed ? namingUndeclared(told, desired, live) : told;
  const means = { client, managed: options.managed, catalogue: live.catalogue, purpose };
  // Guards run after overrides are explained and secrets hidden, so that their findings tell what overrides do and name rules as the
  // plan shows them.
  const explained = await explainPlan(plan, means);
  if (explained.kind === 'failed') {
    return explained;
  }
  const shown = hideSecrets(hideReplaced(explained, options.before?.(plan.scope)));
  const judged = guardScope(shown, options.safety, options.today);
  const guarded = purpose.kind === 'migration' ? judged : await findGates(judged, { ...options, client });
  const declared = options.planner.declaredIn(plan.scope.accountId);
  const checked = await options.lists.check(guarded, { desired, client: means.client, declared });
  const { safety, today, only } = options;
  const listed =
    checked.kind === 'failed' || purpose.kind === 'migration'
      ? checked
      : await planZoneSettings(checked, desired, { client, live, safety, today, only });
  return options.lock === null || listed.kind === 'failed'
    ? listed
    : compareLock(listed, { desired, lock: options.lock, ...means });
}

/** Plans a scope. Also returns the live state that the plan was made from: as read, with the rulesets that its changes execute. */
async function planKnown(
  files: DesiredScope,
  live: LiveScope,
  { client, cache }: { readonly client: ReadClient; readonly cache: RulesetCache },
): Promise<{ readonly plan: ScopePlan; readonly live: LiveScope }> {
  const desired = files.rulesetOwnership === 'everything' ? owningAll(files) : files;
  const plan = planScope(desired, live);
  const heads = plan.kind === 'failed' ? [] : unreadExecuted(plan.steps, live);
  if (heads.length === 0) {
    return { plan, live };
  }
  const known = await readExecuted(client, live, { heads, cache });
  return { plan: planScope(desired, known), live: known };
}
