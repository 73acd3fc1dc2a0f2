import type { AnalyticsClient, DryRunClient, ReadClient } from '../../api/index.ts';
import type { Journal, PlanOutcome, PlanRun, WriteAccess, KeepWritten } from '../../apply/index.ts';
import { applyPlan, PLAN_MISMATCH } from '../../apply/index.ts';
import { groupBy } from '../../data/index.ts';
import type { AllowedProbeHost } from '../../health/index.ts';
import { resolveScopes } from '../../live/index.ts';
import type { Resolution, RulesetCache } from '../../live/index.ts';
import type {
  AllowedKinds,
  GuardFinding,
  Outcome,
  Plan,
  PlannedScope,
  Scope,
  ScopeRef,
  WaveChoice,
} from '../../model/index.ts';
import {
  changingScopes,
  errorFacts,
  NO_PREFLIGHT,
  scopeLabel,
  stepIds,
  zoneName,
} from '../../model/index.ts';
import { listsAsBefore } from '../../plan/index.ts';
import type { WriteStrategy } from '../../plan/index.ts';
import { partsOf } from '../../rollout/index.ts';
import type { WavePart } from '../../rollout/index.ts';
import { refusedOutcomes } from '../planning/refused-outcomes.ts';
import { mayHoldSecret } from '../project/sensitive-in.ts';
import type { OnEvent } from '../run/events.ts';
import { askGates, explainOutcomes } from '../run/extension.ts';
import type { JournalChoice } from '../run/journal-choice.ts';
import type { Service } from '../service/open-service.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { isChosen } from './choose-waves.ts';

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
  /** What to do when the run fails: `rollback` undoes its writes, `stop` leaves them. As the plan's waves say unless given, and `stop` without waves. */
  readonly onFailure?: 'stop' | 'rollback' | undefined;
  /** The waves of the plan that the run is about; all unless given. */
  readonly waves?: WaveChoice | undefined;
  /** The hosts outside of the zones of the plan that probes may ask. */
  readonly probeHosts?: readonly AllowedProbeHost[] | undefined;
  readonly allow: AllowedKinds;
  /** Guard findings of the reviewed plan; equal findings do not stop this plan. */
  readonly reviewed?: readonly GuardFinding[];
}

/** The options without gaps, and the estimated number of requests, computed once because the estimate walks the whole plan. */
export type FilledApplyOptions = ApplyOptions &
  Required<Pick<ApplyOptions, 'preflight' | 'origin'>> & {
    readonly onFailure: 'stop' | 'rollback';
    readonly waves: WaveChoice;
    readonly estimate: number;
  };

/** The clients of an apply run for one set of credentials. */
export interface ApplyClients {
  readonly access: WriteAccess;
  readonly check: DryRunClient;
  /** Asks the analytics about a wave. */
  readonly ask: AnalyticsClient;
}

/** What an apply run is carried out with. */
export interface ApplyStage {
  readonly options: FilledApplyOptions;
  readonly service: Service<ApplyClients>;
  readonly journal: Journal;
  readonly tell: PlanRun['report'];
  readonly report: OnEvent;
  readonly clientFor: (scope: PlannedScope) => ReadClient;
}

/** Prepares a run; the steps that end are counted over all that it is about. */
export function openStage(
  options: FilledApplyOptions,
  { service, journal, report }: Pick<ApplyStage, 'service' | 'journal' | 'report'>,
): ApplyStage {
  let total = scopesOfRun(options.plan, options.waves).flatMap(stepIds).length;
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
  const clientFor = ({ tokenEnv }: PlannedScope): ReadClient => service.client(tokenEnv).access.client;
  return { options, service, journal, tell, report, clientFor };
}

/** Returns the scopes that a run of some waves of a plan is about; an account of which it has both waves as a whole. */
export function scopesOfRun(plan: Plan, choice: WaveChoice): readonly PlannedScope[] {
  if (plan.rollout === undefined || choice.kind === 'all') {
    return changingScopes(plan.scopes);
  }
  return scopesOfParts(
    plan,
    partsOf(plan).filter(({ wave }) => isChosen(wave, choice)),
  );
}

/** Returns the scopes of some waves of a plan, each once. */
export function scopesOfParts(plan: Plan, parts: readonly WavePart[]): readonly PlannedScope[] {
  const byLabel = groupBy(
    parts.flatMap(({ scopes }) => scopes),
    ({ scope }) => scopeLabel(scope),
  );
  return changingScopes(plan.scopes).flatMap((whole) => {
    const [part, ...more] = byLabel.get(scopeLabel(whole.scope)) ?? [];
    return part === undefined ? [] : [more.length === 0 ? part : whole];
  });
}

/** Writes some scopes of a plan side by side, after everything that stands against that was asked. */
export async function writeScopes(
  planned: readonly PlannedScope[],
  stage: ApplyStage,
  onFailure: 'stop' | 'rollback',
): Promise<PlanOutcome> {
  const { options, service, report, clientFor } = stage;
  const misnamed = options.origin === 'saved' ? await checkNames(planned, clientFor) : [];
  const { concurrency, extension } = options.service;
  const gated =
    misnamed.length > 0 ? misnamed : await askGates(planned, { extension, clientFor, concurrency, report });
  if (gated.length > 0) {
    return { outcomes: gated, preflight: NO_PREFLIGHT, rollback: null, written: null };
  }
  const result = await applyPlan(runOf(planned, stage, onFailure));
  await invalidateCache(planned, result.outcomes, ({ tokenEnv }) => service.cache(tokenEnv));
  return { ...result, outcomes: await explainOutcomes(result.outcomes, extension) };
}

/** Returns how some scopes of a plan are carried out. */
export function runOf(
  planned: readonly PlannedScope[],
  { options, service, journal, tell }: ApplyStage,
  onFailure: 'stop' | 'rollback',
): PlanRun {
  const { plan, writes, preflight, origin } = options;
  return {
    scopes: planned.map((scope) => ({
      plan: scope,
      ...service.client(scope.tokenEnv),
      // A plan does not tell which of its scopes hold sensitive values, so no scope is cached when any may.
      ...(mayHoldSecret(options.service.secrets) ? {} : { keep: keepIn(service.cache(scope.tokenEnv)) }),
    })),
    digest: plan.digest,
    lists: listsAsBefore(plan),
    service: plan.baseUrl,
    ...(plan.shard === undefined
      ? {}
      : { shard: { index: plan.shard.index, count: plan.shard.count, run: plan.shard.run } }),
    strategy: writes,
    preflight,
    origin,
    onFailure,
    concurrency: options.service.concurrency,
    journal,
    clock: options.service.clock,
    report: tell,
    signal: options.service.signal,
  };
}

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
