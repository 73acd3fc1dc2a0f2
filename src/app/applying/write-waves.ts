import type { JournalEntry, WaveRecord } from '../../apply/index.ts';
import { checkBeforeWriting, isWaveOpen, readWaves, recordDone, rollBackAll } from '../../apply/index.ts';
import { checkHealth } from '../../health/index.ts';
import type { WatchedZone } from '../../health/index.ts';
import type { HealthGate, HealthResult, Plan, PlanRollout, RunResult, Scope } from '../../model/index.ts';
import { failedScopes, plannedScopes, scopeLabel, zoneName } from '../../model/index.ts';
import { partsOf } from '../../rollout/index.ts';
import type { WavePart } from '../../rollout/index.ts';
import { areScopesDone } from '../planning/part-done.ts';
import type { JournalChoice } from '../run/journal-choice.ts';
import { journalPath } from '../run/journal-choice.ts';
import { resultKind } from '../run/result-kind.ts';
import type { ApplyResult } from '../run/results.ts';
import type { WavesOutcome } from './apply-waves.ts';
import { applyWaves } from './apply-waves.ts';
import { isChosen } from './choose-waves.ts';
import type { EarlierWaves } from './choose-waves.ts';
import type { ApplyOptions, ApplyStage } from './write-scopes.ts';
import { runOf, scopesOfParts, writeScopes } from './write-scopes.ts';

/** Whether the journal has a wave of the run that was written and not found well yet, so that there is something to do although nothing differs. */
export async function hasOpenWave({
  plan,
  waves = { kind: 'all' },
  ...journal
}: Pick<ApplyOptions, 'plan' | 'waves'> & JournalChoice): Promise<boolean> {
  if (plan.rollout === undefined) {
    return false;
  }
  const recorded = await readWaves(journalPath(journal), plan.baseUrl);
  return plan.rollout.waves.some((wave) => isChosen(wave, waves) && isWaveOpen(recorded.get(wave.number)));
}

/** Carries out the waves of a plan one after the other. `recorded`: what the journal said of them before this run. */
export async function writeWaves(
  stage: ApplyStage,
  { rollout, recorded }: { readonly rollout: PlanRollout; readonly recorded: EarlierWaves['recorded'] },
): Promise<ApplyResult> {
  const { options, service, journal, report, tell } = stage;
  const { plan, onFailure, waves: choice, origin } = options;
  const { concurrency, clock, signal } = options.service;
  const entryOf = (record: WaveRecord): JournalEntry => ({
    kind: 'wave',
    service: service.identity,
    ...record,
  });
  const reading = {
    service: { client: (tokenEnv: string | undefined) => service.client(tokenEnv).access.client },
    concurrency,
  };
  const outcome = await applyWaves(
    {
      rollout: { ...rollout, onFailure },
      parts: partsOf(plan),
      choice,
      failed: new Set(failedScopes(plan.scopes).map(({ scope }) => scopeLabel(scope))),
    },
    {
      recorded,
      check: (parts) => checkBeforeWriting(runOf(scopesOfParts(plan, parts), stage, 'stop')),
      write: async (scopes) => {
        const result = await writeScopes(scopes, stage, 'stop');
        // While the run waits, nothing that it sent is under way.
        await recordDone(journal, { kind: 'end', result: resultKind(result) }, report);
        return result;
      },
      // What a fresh plan has is not done.
      isDone: async (scopes) => origin === 'saved' && (await areScopesDone({ scopes }, reading)),
      judge: (gate, part, wrote) => judgeWave(stage, { gate, part, wrote }),
      putBack: (written) => rollBackAll(written, { ...runOf([], stage, 'stop'), report: tell }),
      record: (record) => journal.record(entryOf(record)),
      recordDone: (record) => recordDone(journal, entryOf(record), report),
      clock,
      signal,
      report,
    },
  );
  const { outcomes, preflight, rollback, waves } = outcome;
  return { kind: resultOf(outcome), outcomes, preflight, rollback, waves, requests: service.requests() };
}

/** Returns how a run in waves ended. What is written and not well is a run that did a part, whatever went back of it. */
function resultOf({ waves, outcomes, rollback, refused }: WavesOutcome): RunResult {
  const states = new Set(waves.map(({ state }) => state));
  if (refused) {
    return 'refused';
  }
  if (waves.every(({ state }) => state === 'passed' || state === 'unchanged')) {
    return outcomes.length === 0 && !states.has('passed') ? 'nothing-to-do' : 'done';
  }
  const isWritten = (['unhealthy', 'no-data', 'interrupted'] as const).some((state) => states.has(state));
  return isWritten || rollback !== null ? 'partial' : resultKind({ outcomes });
}

interface WrittenPart {
  readonly gate: HealthGate;
  readonly part: WavePart;
  readonly wrote: { readonly from: number; readonly to: number };
}

/** Judges the health of a wave by its zones, compared with those that no wave has reached yet. */
function judgeWave(
  { options, service }: ApplyStage,
  { gate, part, wrote }: WrittenPart,
): Promise<HealthResult> {
  const { plan, probeHosts = [] } = options;
  const { clock, signal } = options.service;
  const all = zonesOf(plan);
  const reached = reachedZones(plan, part.wave.number);
  const own = zonesOfWave(plan, part);
  const watch = ({ scope, tokenEnv }: PlanZone): WatchedZone => ({
    name: scope.name,
    id: scope.id,
    client: service.client(tokenEnv).ask,
  });
  return checkHealth(
    gate,
    {
      zones: all.filter(({ scope }) => own.has(scopeLabel(scope))).map(watch),
      others: all.filter(({ scope }) => !reached.has(scopeLabel(scope))).map(watch),
      wrote,
    },
    {
      clock,
      signal,
      reach: { zones: all.map(({ scope }) => zoneName(scope).bare), allowed: probeHosts },
    },
  );
}

interface PlanZone {
  readonly scope: Scope;
  readonly tokenEnv?: string | undefined;
}

function zonesOf({ scopes }: Plan): readonly PlanZone[] {
  return plannedScopes(scopes).filter(({ scope }) => scope.kind === 'zone');
}

/** Returns the zones that a wave changes; all of it where an earlier run wrote it. Accounts change all of their zones. */
function zonesOfWave(plan: Plan, { wave, scopes }: WavePart): ReadonlySet<string> {
  const labels = scopes.length === 0 ? wave.scopes : scopes.map(({ scope }) => scopeLabel(scope));
  const accounts = new Set(
    plannedScopes(plan.scopes).flatMap(({ scope }) =>
      scope.kind === 'account' && labels.includes(scopeLabel(scope)) ? [scope.id] : [],
    ),
  );
  return new Set([
    ...labels,
    ...zonesOf(plan).flatMap(({ scope }) => (accounts.has(scope.accountId) ? [scopeLabel(scope)] : [])),
  ]);
}

/** Returns the zones that waves have changed up to this one. */
function reachedZones(plan: Plan, number: number): ReadonlySet<string> {
  return new Set(
    partsOf(plan)
      .filter(({ wave }) => wave.number <= number)
      .flatMap(({ wave, scopes }) => [...wave.scopes, ...zonesOfWave(plan, { wave, scopes })]),
  );
}
