import type { Closable, ConnectionOptions } from '../api/index.ts';
import { dryRunOf } from '../api/index.ts';
import type { PlanOutcome } from '../apply/index.ts';
import { NO_JOURNAL, readWaves, recordDone, unfinishedRollout } from '../apply/index.ts';
import type { AllowedKinds, GuardFinding, Outcome, Plan } from '../model/index.ts';
import { NO_PREFLIGHT, allStepIds, changingScopes } from '../model/index.ts';
import { applyingRequests, findingsOf, refusals } from '../plan/index.ts';
import { requireProbeHosts, requireShardWave, requireWave } from './applying/choose-waves.ts';
import type { ApplyClients, ApplyOptions, ApplyStage, FilledApplyOptions } from './applying/write-scopes.ts';
import { openStage, scopesOfRun, writeScopes } from './applying/write-scopes.ts';
import { hasOpenWave, writeWaves } from './applying/write-waves.ts';
import { openCheckingClients } from './planning/preflight-plan.ts';
import { requireSensitive } from './project/require-sensitive.ts';
import type { OnEvent } from './run/events.ts';
import { journalPath } from './run/journal-choice.ts';
import { openRun } from './run/open-run.ts';
import { resultKind } from './run/result-kind.ts';
import type { ApplyResult } from './run/results.ts';
import { openWriting } from './service/open-writing.ts';
import { withService } from './service/open-service.ts';
import { requireSameService } from './service/same-service.ts';

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
 * of each in order, in a plan with waves one wave after the other; the outcomes tell what happened.
 */
export async function apply(options: ApplyOptions, report: OnEvent): Promise<ApplyResult> {
  const { plan, waves = { kind: 'all' } } = options;
  requireWave(plan.rollout, waves);
  requireShardWave(plan, waves);
  if (!options.dryRun) {
    requireProbeHosts(plan, options.probeHosts ?? []);
  }
  const steps = allStepIds(plan.scopes);
  const failedScopes = plan.scopes.some((scope) => scope.kind === 'failed');
  const isToJudge = plan.rollout !== undefined && !options.dryRun && (await hasOpenWave(options));
  if (steps.length === 0 && !isToJudge) {
    return { kind: failedScopes ? 'failed' : 'nothing-to-do', ...NOTHING };
  }
  if (refusalsOf(options.plan, options.allow, options.reviewed).length > 0) {
    const reason = 'a guard refused the plan';
    const outcomes = steps.map((step): Outcome => ({ kind: 'not-reached', step, reason }));
    return { kind: 'refused', ...NOTHING, outcomes };
  }
  requireSensitive(options.plan.scopes, options.service.secrets);
  const { writes: strategy, dryRun, preflight = 'auto', origin = 'saved' } = options;
  const onFailure = options.onFailure ?? plan.rollout?.onFailure ?? 'stop';
  const estimate = applyingRequests(options.plan.scopes, { strategy, preflight, dryRun, origin });
  report({
    kind: 'estimate',
    work: 'apply',
    requests: estimate,
    uncached: estimate,
    leastWaitMs: options.service.budget.waitFor(estimate),
    limit: options.service.budget.limit,
  });
  const chosen = { ...options, preflight, origin, onFailure, waves, estimate };
  return dryRun ? lookOnly(chosen, report) : write(chosen, report);
}

const NOTHING = { outcomes: [], preflight: NO_PREFLIGHT, rollback: null, requests: 0 } as const;

/** A dry run: the same path with clients that cannot write. */
async function lookOnly(options: FilledApplyOptions, report: OnEvent): Promise<ApplyResult> {
  const open = (connection: ConnectionOptions): ApplyClients & Closable => {
    const clients = openCheckingClients(connection);
    const { client, check } = clients;
    return { access: { kind: 'dry-run', client }, check, ask: client, close: () => clients.close() };
  };
  return withService({ options: options.service, open, report }, async (service) => {
    requireSameService(options.plan, service.identity);
    const stage = openStage(options, { service, journal: NO_JOURNAL, report });
    const scopes = scopesOfRun(options.plan, options.waves);
    return resultOf(options, stage, await writeScopes(scopes, stage, options.onFailure));
  });
}

async function write(options: FilledApplyOptions, report: OnEvent): Promise<ApplyResult> {
  const open = (connection: ConnectionOptions): ApplyClients & Closable => {
    const client = openWriting(connection);
    const close = (): Promise<void> => client.close();
    return { access: { kind: 'write', client }, check: dryRunOf(client), ask: client, close };
  };
  return withService({ options: options.service, open, report }, async (service) => {
    requireSameService(options.plan, service.identity);
    const recorded = await readWaves(journalPath(options), service.identity);
    const unfinished = await unfinishedRollout(journalPath(options), service.identity);
    const journal = await openRun(journalPath(options), options.service);
    try {
      const stage = openStage(options, { service, journal, report });
      const { plan, onFailure } = options;
      const result =
        plan.rollout === undefined
          ? resultOf(options, stage, await writeScopes(changingScopes(plan.scopes), stage, onFailure))
          : await writeWaves(stage, { rollout: plan.rollout, recorded, unfinished });
      await recordDone(journal, { kind: 'end', result: result.kind }, report);
      return result;
    } finally {
      await journal.close();
    }
  });
}

function resultOf(
  { plan }: FilledApplyOptions,
  { service }: ApplyStage,
  { outcomes, preflight, rollback }: Omit<PlanOutcome, 'written'>,
): ApplyResult {
  const failedScopes = plan.scopes.some((scope) => scope.kind === 'failed');
  const kind = resultKind({ outcomes, rollback, failedScopes });
  return { kind, outcomes, preflight, rollback, requests: service.requests() };
}
