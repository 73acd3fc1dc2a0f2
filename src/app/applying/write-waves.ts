import type { WriteClient } from '../../api/index.ts';
import type {
  JournalEntry,
  LeftScope,
  UnfinishedRollout,
  WaveRecord,
  WriteAccess,
  WrittenPlan,
} from '../../apply/index.ts';
import {
  changedSince,
  checkBeforeWriting,
  isWaveOpen,
  lastChange,
  readWaves,
  recordDone,
  rollBackAll,
} from '../../apply/index.ts';
import { checkHealth } from '../../health/index.ts';
import type { WatchedZone } from '../../health/index.ts';
import type {
  HealthGate,
  HealthResult,
  Plan,
  PlannedScope,
  PlanRollout,
  RunResult,
  Scope,
} from '../../model/index.ts';
import { failedScopes, plannedScopes, scopeLabel, zoneName } from '../../model/index.ts';
import { partsOf } from '../../rollout/index.ts';
import type { WavePart } from '../../rollout/index.ts';
import type { JournalChoice } from '../run/journal-choice.ts';
import { journalPath } from '../run/journal-choice.ts';
import { resultKind } from '../run/result-kind.ts';
import type { ApplyResult } from '../run/results.ts';
import type { WavesOutcome } from './apply-waves.ts';
import { applyWaves } from './apply-waves.ts';
import { isChosen } from './choose-waves.ts';
import type { EarlierWaves } from './choose-waves.ts';
import { readEarlierWrites } from './finish-rollback.ts';
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
  return plan.rollout.waves.some(
    (wave) => wave.scopes.length > 0 && isChosen(wave, waves) && isWaveOpen(recorded.get(wave.number)),
  );
}

/** What the journal said before a run: of each wave, and of a run that it goes on from. */
export interface RecordedBefore extends Pick<EarlierWaves, 'recorded'> {
  readonly unfinished: UnfinishedRollout | null;
}

/** Carries out the waves of a plan one after the other. */
export async function writeWaves(
  stage: ApplyStage,
  { rollout, recorded, unfinished }: RecordedBefore & { readonly rollout: PlanRollout },
): Promise<ApplyResult> {
  const { options, service, journal, report, tell } = stage;
  const { plan, onFailure, waves: choice, origin } = options;
  const { concurrency, clock, signal } = options.service;
  const own = { service: service.identity } as const;
  const entryOf = (record: WaveRecord): JournalEntry => ({ kind: 'wave', ...own, ...record });
  const writes = unfinished === null ? [] : writesGoneOnFrom(unfinished, rollout);
  const outcome = await applyWaves(
    {
      rollout: { ...rollout, onFailure },
      parts: partsOf(plan),
      choice,
      failed: new Set(failedScopes(plan.scopes).map(({ scope }) => scopeLabel(scope))),
      resumes: writes.length > 0,
    },
    {
      recorded,
      isFresh: origin === 'fresh',
      changed: (part, written) => changedSince(scopesLeft(stage, { part, written }), concurrency),
      lastChange: ({ scopes }) => lastChange(scopesNamed(plan, scopes)),
      check: (parts) => checkBeforeWriting(runOf(scopesOfParts(plan, parts), stage, 'stop')),
      write: async (scopes) => {
        const result = await writeScopes(scopes, stage, 'stop');
        // While the run waits, nothing that it sent is under way.
        await recordDone(journal, { kind: 'end', result: resultKind(result) }, report);
        return result;
      },
      judge: (gate, part, wrote) => judgeWave(stage, { gate, part, wrote }),
      earlier: () =>
        readEarlierWrites(writes, {
          clientFor: (tokenEnv) => writing(service.client(tokenEnv).access),
          journal,
          clock,
        }),
      putBack: (written) => rollBackAll(written, { ...runOf([], stage, 'stop'), report: tell }),
      record: (record) => journal.record(entryOf(record)),
      recordDone: (record) => recordDone(journal, entryOf(record), report),
      mark: async (state) => {
        if (state === 'ended') {
          await recordDone(journal, { kind: 'rollout', ...own, state }, report);
        } else if (state === 'going-back' || writes.length === 0) {
          await journal.record({ kind: 'rollout', ...own, state });
        }
      },
      clock,
      signal,
      report,
    },
  );
  const { outcomes, preflight, rollback, waves, first } = outcome;
  return {
    kind: resultOf(outcome),
    outcomes,
    preflight,
    rollback,
    waves,
    ...(first === null ? {} : { firstWave: first }),
    requests: service.requests(),
  };
}

/**
 * Returns what a run wrote that was killed or interrupted, if this one goes on with the same: if the files have changed since what a wave is to be, it
 * begins anew, and what is there is what it found.
 */
function writesGoneOnFrom(
  { writes }: UnfinishedRollout,
  { waves }: PlanRollout,
): UnfinishedRollout['writes'] {
  const wanted = new Map(waves.map((wave) => [wave.number, wave.wanted]));
  return writes.every((one) => wanted.get(one.wave) === one.wanted) ? writes : [];
}

function writing(access: WriteAccess): WriteClient {
  if (access.kind !== 'write') {
    throw new Error('a dry run puts nothing back');
  }
  return access.client;
}

/** Returns the scopes of a wave with what is done of each. */
function scopesLeft(
  { options: { plan }, service }: ApplyStage,
  { part, written }: { readonly part: WavePart; readonly written: readonly WrittenPlan[] },
): readonly LeftScope[] {
  const parts = new Map(part.scopes.map((scope) => [scopeLabel(scope.scope), scope]));
  const trails = new Map(
    written.flatMap(({ scopes }) => scopes.map(({ run }) => [scopeLabel(run.scope), run.trails] as const)),
  );
  return scopesNamed(plan, part.wave.scopes).map((whole) => {
    const label = scopeLabel(whole.scope);
    return {
      plan: whole,
      done: parts.get(label) ?? { steps: [] },
      client: service.client(whole.tokenEnv).access.client,
      trails: trails.get(label) ?? new Map(),
    };
  });
}

function scopesNamed({ scopes }: Plan, labels: readonly string[]): readonly PlannedScope[] {
  const named = new Set(labels);
  return plannedScopes(scopes).filter(({ scope }) => named.has(scopeLabel(scope)));
}

/** Returns how a run in waves ended. What is written and not well, or no longer as it was written, is a run that did a part, whatever went back of it. */
function resultOf({ waves, outcomes, rollback, first }: WavesOutcome): RunResult {
  const states = new Set(waves.map(({ state }) => state));
  if (first !== null) {
    return 'refused';
  }
  if (waves.every(({ state }) => state === 'passed' || state === 'unchanged')) {
    return outcomes.length === 0 && !states.has('passed') ? 'nothing-to-do' : 'done';
  }
  const isWritten = (['unhealthy', 'no-data', 'interrupted', 'changed'] as const).some((state) =>
    states.has(state),
  );
  return isWritten || rollback !== null ? 'partial' : resultKind({ outcomes });
}

interface WrittenPart {
  readonly gate: HealthGate;
  readonly part: WavePart;
  readonly wrote: { readonly from: number; readonly to: number };
}

/** Judges the health of a wave by its zones, compared with those that no wave has reached yet. */
function judgeWave(
  { options, service, report }: ApplyStage,
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
      onNoData: (told) => report({ kind: 'no-data-yet', wave: part.wave.number, ...told }),
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
