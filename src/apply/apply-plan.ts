import pLimit from 'p-limit';
import type { DryRunClient } from '../api/client.ts';
import { assertNever } from '../model/assert-never.ts';
import type { Outcome, Rollback } from '../model/outcome.ts';
import type { PlannedScope } from '../model/plan.ts';
import type { Preflight, StepPreflight } from '../model/preflight.ts';
import { UNNEEDED_PREFLIGHT, NO_PREFLIGHT } from '../model/preflight.ts';
import type { RunPart } from '../model/shard.ts';
import { isLoneWrite } from '../plan/requests/estimate.ts';
import type { WriteStrategy } from '../plan/requests/writes.ts';
import { applyScope } from './steps/apply-scope.ts';
import { checkBases } from './base/check-bases.ts';
import type { Access, ApplyEvent, KeepWritten } from './write/run.ts';
import type { Journal } from './journal/journal-entry.ts';
import { journalStep, recordDone } from './journal/journal-entry.ts';
import { NOTHING_MADE } from './base/name-created.ts';
import type { PreflightResult } from './preflight/preflight.ts';
import { preflight } from './preflight/preflight.ts';
import { rollBack } from './rollback/roll-back.ts';
import { STALE_HINT } from './base/stale.ts';
import { stopped } from './steps/stop.ts';

/** A scope of a plan, and what it is carried out with. */
export interface PlanScopeRun {
  readonly plan: PlannedScope;
  readonly access: Access;
  /** Has writes checked; can neither read nor write. */
  readonly check: DryRunClient;
  readonly keep?: KeepWritten | undefined;
}

/** What is carried out, and how. */
export interface PlanRun {
  readonly scopes: readonly PlanScopeRun[];
  /** Digest of the plan, and the service that it was made for: the head of the journal. */
  readonly digest: string;
  readonly service: string;
  /** The part of a whole run that it is. */
  readonly shard?: RunPart | undefined;
  readonly strategy: WriteStrategy;
  readonly preflight: 'auto' | 'off';
  /** A plan that was saved may be old: all its rulesets are looked at before the first write. */
  readonly origin: 'fresh' | 'saved';
  /** Scopes worked on side by side. */
  readonly concurrency: number;
  readonly journal: Journal;
  /** What becomes of what was written when a step fails: it stays, or it is put back. */
  readonly onFailure: 'stop' | 'rollback';
  readonly report: (event: ApplyEvent | PreflightEvent | RollbackEvent) => void;
  /** Stops the run between two writes. */
  readonly signal: AbortSignal | undefined;
}

/** What came of the preflight, before anything is written. */
export interface PreflightEvent {
  readonly kind: 'preflight';
  readonly preflight: Preflight;
}

/** What happened to every step, in the order of the plan. */
export interface PlanOutcome {
  readonly outcomes: readonly Outcome[];
  readonly preflight: Preflight;
  /** What was put back after a failure; null when nothing was to be. */
  readonly rollback: Rollback | null;
}

/** That what was written is put back now, ruleset by ruleset. */
export interface RollbackEvent {
  readonly kind: 'rolling-back';
  readonly rulesets: number;
}

/**
 * Carries out a plan: records the head of the run, looks at all rulesets of a saved plan, has every write checked, and only when
 * nothing is refused makes the writes, scopes side by side. The caller records the end of the run.
 */
export async function applyPlan(run: PlanRun): Promise<PlanOutcome> {
  const { scopes, strategy, journal, report } = run;
  await journal.record({
    kind: 'run',
    purpose: 'apply',
    plan: run.digest,
    service: run.service,
    shard: run.shard,
    steps: scopes.flatMap(({ plan }) => plan.steps.map((step) => journalStep(step, plan, strategy))),
  });
  const moved = await movedBefore(run);
  if (moved !== null) {
    return endBefore(run, moved, NO_PREFLIGHT);
  }
  const checked = await check(run);
  report({ kind: 'preflight', preflight: checked.preflight });
  for (const found of checked.preflight.steps) {
    if (found.kind === 'wrote') {
      // The end of the run will meet the same trouble, and tell it.
      const entry = { kind: 'failed', step: found.step, message: found.message, landed: true } as const;
      await recordDone(journal, entry, () => undefined);
    }
  }
  const refused = refusedBefore(checked.preflight);
  return refused === null ? writeScopes(run, checked) : endBefore(run, refused, checked.preflight);
}

/** Makes the writes, scopes side by side, and puts them back after a failure if that is wanted. */
async function writeScopes(run: PlanRun, { preflight, untouched }: PreflightResult): Promise<PlanOutcome> {
  const { scopes, strategy, concurrency, journal, report, signal } = run;
  const limit = pLimit(concurrency);
  const running = scopes.map(({ plan, access, keep }) => ({
    plan,
    run: {
      scope: plan.scope,
      access,
      strategy,
      untouched,
      journal,
      report,
      keep,
      signal,
      made: NOTHING_MADE,
      trails: new Map(),
    },
  }));
  let putBack = false;
  const ended = await Promise.all(
    running.map(({ plan, run: scope }) =>
      limit(async () => {
        if (putBack && signal?.aborted !== true) {
          return notBegun(plan, report);
        }
        const outcomes = await applyScope(withRoomFirst(plan, preflight), scope);
        putBack ||= run.onFailure === 'rollback' && hasFailed(outcomes);
        return outcomes;
      }),
    ),
  );
  const outcomes = ended.flat();
  const rollback =
    putBack && signal?.aborted !== true
      ? await rollBack(running, {
          service: run.service,
          shard: run.shard,
          journal,
          concurrency,
          begin: (rulesets) => report({ kind: 'rolling-back', rulesets }),
        })
      : null;
  return { outcomes, preflight, rollback };
}

/** What would only be put back is not written. */
function notBegun({ steps }: PlannedScope, report: PlanRun['report']): readonly Outcome[] {
  const stop = { kind: 'because', reason: 'another scope failed, and all is to be put back' } as const;
  const outcomes = steps.map(({ id }) => stopped(id, 0, stop));
  outcomes.forEach((outcome) => report({ kind: 'step-ended', outcome }));
  return outcomes;
}

/** What stands against a saved plan of several rulesets, one of which moved; null when nothing does. */
function movedBefore({ scopes, origin, concurrency }: PlanRun): Promise<readonly Outcome[] | null> | null {
  const steps = scopes.flatMap(({ plan }) => plan.steps);
  return origin === 'fresh' || steps.length < 2
    ? null
    : checkBases(
        scopes.map(({ plan, access }) => ({ plan, client: access.client })),
        concurrency,
      );
}

/** The end of a run in which nothing was written. */
function endBefore({ report }: PlanRun, outcomes: readonly Outcome[], preflight: Preflight): PlanOutcome {
  for (const outcome of outcomes) {
    report({ kind: 'step-ended', outcome });
  }
  return { outcomes, preflight, rollback: null };
}

/** Whether the first write is the last one. A dry run makes none, and is there to have it checked. */
function isLone({ scopes, strategy }: PlanRun): boolean {
  return (
    scopes.every(({ access }) => access.kind === 'write') &&
    isLoneWrite(
      scopes.map(({ plan }) => plan),
      strategy,
    )
  );
}

async function check(run: PlanRun): Promise<PreflightResult> {
  const { scopes, strategy, concurrency, signal } = run;
  if (run.preflight === 'off') {
    return { preflight: NO_PREFLIGHT, untouched: 'whole' };
  }
  return isLone(run)
    ? { preflight: UNNEEDED_PREFLIGHT, untouched: 'unproven' }
    : preflight({
        scopes: scopes.map(({ plan, access, check }) => ({ plan, client: access.client, check })),
        strategy,
        concurrency,
        signal,
      });
}

/** Whether a step that was begun did not do what it should. */
function hasFailed(outcomes: readonly Outcome[]): boolean {
  return outcomes.some(({ kind }) => kind === 'failed' || kind === 'conflict' || kind === 'refused');
}

/** Steps that the quota has no room for yet wait for those that make it, whatever they do to protection. */
function withRoomFirst(plan: PlannedScope, { steps }: Preflight): PlannedScope {
  const waits = new Map(
    steps.flatMap((step) => (step.kind === 'passed' ? [[step.step, step.after ?? []]] : [])),
  );
  return {
    ...plan,
    steps: plan.steps.map((step) => ({ ...step, after: [...step.after, ...(waits.get(step.id) ?? [])] })),
  };
}

/** Outcomes of a run that the preflight ends before the first write; null when nothing stands against it. */
function refusedBefore({ steps }: Preflight): readonly Outcome[] | null {
  if (steps.every((step) => againstWriting(step) === null)) {
    return null;
  }
  return steps.map(
    (step) =>
      againstWriting(step) ?? {
        kind: 'not-reached',
        step: step.step,
        reason: 'the preflight refused other steps, so nothing was written',
      },
  );
}

function againstWriting(found: StepPreflight): Outcome | null {
  const { step } = found;
  switch (found.kind) {
    case 'passed':
      return null;
    case 'not-checked':
      return found.code === 'forbidden'
        ? {
            kind: 'failed',
            step,
            code: 'api/forbidden',
            message: found.reason,
            hint: found.hint ?? FORBIDDEN_HINT,
            writes: 0,
          }
        : null;
    case 'refused':
      return {
        kind: 'failed',
        step,
        code: 'apply/preflight',
        message: 'the service would refuse this step',
        writes: 0,
        refusals: found.refusals,
      };
    case 'stale': {
      const { message, difference } = found;
      return { kind: 'refused', step, code: 'apply/stale', message, hint: STALE_HINT, writes: 0, difference };
    }
    case 'failed':
      return { ...found, writes: 0 };
    case 'wrote':
      return {
        kind: 'failed',
        step,
        code: 'api/dry-run-wrote',
        message: found.message,
        hint: found.hint,
        writes: 1,
      };
    default:
      return assertNever(found);
  }
}

const FORBIDDEN_HINT = 'rulewright doctor says which permission is missing';
