import type { Closable, DryRunClient, ReadClient, ConnectionOptions } from '../api/index.ts';
import { dryRunOf } from '../api/index.ts';
import type { PlanOutcome, PlanRun, WriteAccess, KeepWritten, Journal } from '../apply/index.ts';
import { applyPlan, NO_JOURNAL, recordDone, PLAN_MISMATCH } from '../apply/index.ts';
import type { RulesetCache, Resolution } from '../live/index.ts';
import type {
  Outcome,
  Plan,
  PlannedScope,
  AllowedKinds,
  GuardFinding,
  Scope,
  ScopeRef,
} from '../model/index.ts';
import {
  NO_PREFLIGHT,
  allStepIds,
  changingScopes,
  stepIds,
  errorFacts,
  scopeLabel,
  zoneName,
} from '../model/index.ts';
import { applyingRequests, findingsOf, refusals } from '../plan/index.ts';
import type { WriteStrategy } from '../plan/index.ts';
import { resolveScopes } from '../live/index.ts';
import { groupBy } from '../data/index.ts';
import type { OnEvent } from './run/events.ts';
import type { Service } from './service/open-service.ts';
import { withService } from './service/open-service.ts';
import { openCheckingClients } from './planning/preflight-plan.ts';
import type { ApplyResult } from './run/results.ts';
import type { JournalChoice } from './run/journal-choice.ts';
import { journalPath } from './run/journal-choice.ts';
import { openRun } from './run/open-run.ts';
import { resultKind } from './run/result-kind.ts';
import { openWriting } from './service/open-writing.ts';
import { requireSameService } from './service/same-service.ts';
import { mayHoldSecret } from './project/sensitive-in.ts';
import { requireSensitive } from './project/require-sensitive.ts';
import type { ServiceOptions } from './service/service-options.ts';
import { askGates, explainOutcomes } from './run/extension.ts';
import { refusedOutcomes } from './planning/refused-outcomes.ts';

/** Error codes that suggest that the plan was made from stale or incomplete data. */
const STALE_DATA_CODES: ReadonlySet<string> = new Set([PLAN_MISMATCH, 'apply/preflight']);

/**
 * Removes the cached rulesets that a scope was planned from if a step failed in a way that suggests they are wrong: otherwise an
 * incomplete response would be used in every run, because its version does not change.
 */
async function invalidateCache(
  scopes: readonly PlannedScope[],
  outcomes: readonly Outcome[],
  cacheOf: (scope: PlannedScope) => RulesetCache,
): Promise<void> {
  const suspect = new Set(
    outcomes.flatMap((outcome) =>
      'code' in outcome && STALE_DATA_CODES.has(outcome.code) ? [outcome.step] : [],
    ),
  );
  for (const planned of scopes) {
    const { scope, steps } = planned;
    const isSuspect = suspect.size > 0 && steps.some(({ id }) => suspect.has(id));
    for (const { base, target } of isSuspect ? steps : []) {
      if (base.kind === 'version') {
        const { level: kind, phase, name } = target;
        await cacheOf(planned).forget(scope, { ...base, kind, phase, name, description: '' });
      }
    }
  }
}

/** The plan to apply, and how to apply it. */
export interface ApplyOptions extends JournalChoice {
  readonly plan: Plan;
  readonly service: ServiceOptions;
  readonly writes: WriteStrategy;
  /** `fresh`: the plan was made in this run; `saved`, the default: it may be older than the live state. */
  readonly origin?: 'fresh' | 'saved';
  /** `auto`, the default: the service checks every write before the first one is sent, provided it proves that it honours dry runs. */
  readonly preflight?: 'auto' | 'off';
  readonly dryRun: boolean;
  /** What to do when the run fails: `rollback` undoes its writes; `stop`, the default, leaves them. */
  readonly onFailure?: 'stop' | 'rollback';
  readonly allow: AllowedKinds;
  /** Guard findings of the reviewed plan; equal findings do not stop this plan. */
  readonly reviewed?: readonly GuardFinding[];
}

/** Returns the guard findings that stop a plan: those whose kind is not allowed and that the reviewed plan did not show. */
export function refusalsOf(
  plan: Plan,
  allow: AllowedKinds,
  reviewed: readonly GuardFinding[] = [],
): readonly GuardFinding[] {
  return refusals(findingsOf(plan), { kinds: allow, reviewed });
}

/**
 * Applies a plan, after checking that no guard refuses it and that it was made for this service. Scopes run side by side, the steps
 * of each in order; the outcomes tell what happened.
 */
export async function apply(options: ApplyOptions, report: OnEvent): Promise<ApplyResult> {
  const steps = allStepIds(options.plan.scopes);
  const failedScopes = options.plan.scopes.some((scope) => scope.kind === 'failed');
  if (steps.length === 0) {
    return { kind: failedScopes ? 'failed' : 'nothing-to-do', ...NOTHING };
  }
  if (refusalsOf(options.plan, options.allow, options.reviewed).length > 0) {
    const reason = 'a guard refused the plan';
    const outcomes = steps.map((step): Outcome => ({ kind: 'not-reached', step, reason }));
    return { kind: 'refused', ...NOTHING, outcomes };
  }
  requireSensitive(options.plan.scopes, options.service.secrets);
  const { writes: strategy, dryRun, preflight = 'auto', origin = 'saved', onFailure = 'stop' } = options;
  const estimate = applyingRequests(options.plan.scopes, { strategy, preflight, dryRun, origin });
  report({
    kind: 'estimate',
    work: 'apply',
    requests: estimate,
    uncached: estimate,
    leastWaitMs: options.service.budget.waitFor(estimate),
    limit: options.service.budget.limit,
  });
  const chosen = { ...options, preflight, origin, onFailure, estimate };
  return dryRun ? lookOnly(chosen, report) : write(chosen, report);
}

/** The options without gaps, and the estimated number of requests, computed once because the estimate walks the whole plan. */
type FilledApplyOptions = ApplyOptions &
  Required<Pick<ApplyOptions, 'preflight' | 'origin' | 'onFailure'>> & { readonly estimate: number };

const NOTHING = { outcomes: [], preflight: NO_PREFLIGHT, rollback: null, requests: 0 } as const;

/** The clients of an apply run for one set of credentials. */
interface ApplyClients {
  readonly access: WriteAccess;
  readonly check: DryRunClient;
}

/** A dry run: the same path with clients that cannot write. */
async function lookOnly(options: FilledApplyOptions, report: OnEvent): Promise<ApplyResult> {
  const open = (connection: ConnectionOptions): ApplyClients & Closable => {
    const clients = openCheckingClients(connection);
    const { client, check } = clients;
    return { access: { kind: 'dry-run', client }, check, close: () => clients.close() };
  };
  return withService({ options: options.service, open, report }, async (service) => {
    requireSameService(options.plan, service.identity);
    return carryOut(options, { service, journal: NO_JOURNAL, report });
  });
}

async function write(options: FilledApplyOptions, report: OnEvent): Promise<ApplyResult> {
  const open = (connection: ConnectionOptions): ApplyClients & Closable => {
    const client = openWriting(connection);
    return { access: { kind: 'write', client }, check: dryRunOf(client), close: () => client.close() };
  };
  return withService({ options: options.service, open, report }, async (service) => {
    requireSameService(options.plan, service.identity);
    const journal = await openRun(journalPath(options), options.service);
    try {
      const result = await carryOut(options, { service, journal, report });
      await recordDone(journal, { kind: 'end', result: result.kind }, report);
      return result;
    } finally {
      await journal.close();
    }
  });
}

interface ApplyStage {
  readonly service: Service<ApplyClients>;
  readonly journal: Journal;
  readonly report: OnEvent;
}

async function carryOut(
  options: FilledApplyOptions,
  { service, journal, report }: ApplyStage,
): Promise<ApplyResult> {
  const { plan, writes, preflight, origin, onFailure } = options;
  let total = allStepIds(plan.scopes).length;
  let done = 0;
  const timeLeft = service.timeLeft(options.estimate);
  const tell: PlanRun['report'] = (event) => {
    if (event.kind === 'step-ended') {
      done += 1;
      report({ ...event, done, total, leftMs: timeLeft(total - done) });
    } else if (event.kind === 'rolling-back') {
      done = 0;
      total = event.rulesets;
      report(event);
    } else {
      report(event);
    }
  };
  const planned = changingScopes(plan.scopes);
  const clientFor = ({ tokenEnv }: PlannedScope): ReadClient => service.client(tokenEnv).access.client;
  const misnamed = origin === 'saved' ? await checkNames(planned, clientFor) : [];
  const { concurrency, extension } = options.service;
  const gated =
    misnamed.length > 0 ? misnamed : await askGates(planned, { extension, clientFor, concurrency, report });
  if (gated.length > 0) {
    const kind = resultKind({ outcomes: gated });
    return { kind, ...NOTHING, outcomes: gated, requests: service.requests() };
  }
  const result: PlanOutcome = await applyPlan({
    scopes: planned.map((scope) => ({
      plan: scope,
      ...service.client(scope.tokenEnv),
      // A plan does not tell which of its scopes hold sensitive values, so no scope is cached when any may.
      ...(mayHoldSecret(options.service.secrets) ? {} : { keep: keepIn(service.cache(scope.tokenEnv)) }),
    })),
    digest: plan.digest,
    service: plan.baseUrl,
    ...(plan.shard === undefined
      ? {}
      : { shard: { index: plan.shard.index, count: plan.shard.count, run: plan.shard.run } }),
    strategy: writes,
    preflight,
    origin,
    onFailure,
    concurrency,
    journal,
    clock: options.service.clock,
    report: tell,
    signal: options.service.signal,
  });
  await invalidateCache(planned, result.outcomes, ({ tokenEnv }) => service.cache(tokenEnv));
  const failedScopes = plan.scopes.some((scope) => scope.kind === 'failed');
  const explained = { ...result, outcomes: await explainOutcomes(result.outcomes, extension) };
  return { kind: resultKind({ ...explained, failedScopes }), ...explained, requests: service.requests() };
}

function keepIn(cache: RulesetCache): KeepWritten {
  return (scope, ruleset) => cache.keep(scope, ruleset);
}

/**
 * Refuses a saved plan that calls a scope by a name which is not its own, because writes go by the id, but the review went by the
 * name. Returns an empty list if nothing stands against the plan, else the outcome of every step, since nothing is written then.
 */
async function checkNames(
  scopes: readonly PlannedScope[],
  clientFor: (scope: PlannedScope) => ReadClient,
): Promise<readonly Outcome[]> {
  const refusals = new Map<string, Outcome>();
  await Promise.all(
    [...groupBy(scopes, clientFor)].map(async ([client, own]) => {
      const found = await resolveScopes(
        client,
        own.map(({ scope }) => lookUpOf(scope)),
      );
      for (const planned of own) {
        const { scope } = planned;
        const [first] = stepIds(planned);
        const problem =
          first === undefined ? undefined : problemOf(first, scope, found.get(scopeLabel(lookUpOf(scope))));
        if (problem !== undefined) {
          refusals.set(problem.step, problem);
        }
      }
    }),
  );
  return refusedOutcomes(scopes, refusals);
}

/**
 * Returns how to look a scope up: a zone by its id, unless its name contains its account, which only a look-up by name checks; an
 * account by its name, since a token may have rights in an account that it may not look up by id.
 */
function lookUpOf({ kind, id, name }: Scope): ScopeRef {
  return { kind, name: kind === 'zone' && zoneName({ kind, name }).account === null ? id : name };
}

function problemOf(step: string, scope: Scope, resolution: Resolution | undefined): Outcome | undefined {
  if (resolution?.kind !== 'found') {
    return resolution && { kind: 'failed', step, ...errorFacts(resolution.error), writes: 0 };
  }
  const { id, name } = resolution.scope;
  return id === scope.id && name === scope.name
    ? undefined
    : {
        kind: 'refused',
        step,
        code: PLAN_MISMATCH,
        message: `the plan was made for ${scopeLabel(scope)}, but the ${scope.kind} ${scope.id} that it would write is ${id === scope.id ? name : 'another one'}`,
        hint: 'it may have been edited: make it again with rulewright plan --out, and review it',
        writes: 0,
      };
}
