import pLimit from 'p-limit';
import type { DryRunClient } from '../api/index.ts';
import type { Clock } from '../network/index.ts';
import { assertNever } from '../data/index.ts';
import type {
  ObjectStep,
  LiveEntry,
  Outcome,
  Rollback,
  Preflight,
  StepPreflight,
  PlannedScope,
  RunPart,
  Scope,
} from '../model/index.ts';
import {
  isFailure,
  isListStep,
  objectSteps,
  stepIds,
  UNNEEDED_PREFLIGHT,
  NO_PREFLIGHT,
  phaseOrder,
} from '../model/index.ts';
import { addressOf, isLoneWrite, isRewriting, rewriteMismatches } from '../plan/index.ts';
import type { ListsAsBefore, WriteStrategy } from '../plan/index.ts';
import { applyScope } from './steps/apply-scope.ts';
import { checkBases, STALE_HINT } from './base/check-bases.ts';
import type { WriteAccess, ApplyEvent, KeepWritten } from './write/scope-run.ts';
import type { Journal } from './journal/journal-entry.ts';
import { journalObjects, journalStep, recordDone } from './journal/journal-entry.ts';
import { applyObjects, checkObjects, objectScopes, waitingInVain } from './objects/apply-objects.ts';
import { NOTHING_MADE } from './base/name-created.ts';
import type { PreflightResult } from './preflight/preflight.ts';
import { preflight } from './preflight/preflight.ts';
import { stopped } from './write/write-failure.ts';
import { readBase } from './base/look-up.ts';
import { mismatchOutcome } from './steps/mismatch-outcome.ts';
import { misdescribed } from './steps/step-run.ts';
import type { RollbackEvent, WrittenPlan } from './rollback/roll-back.ts';
import { rollBack } from './rollback/roll-back.ts';

/** A scope of a plan, with the clients that carry it out. */
export interface PlanScopeRun {
  readonly plan: PlannedScope;
  readonly access: WriteAccess;
  /** Sends dry runs only: it can neither read nor write. */
  readonly check: DryRunClient;
  readonly keep?: KeepWritten | undefined;
}

/** What to apply, and how. */
export interface PlanRun {
  readonly scopes: readonly PlanScopeRun[];
  /** Digest of the plan, recorded in the head of the run together with the service that the plan was made for. */
  readonly digest: string;
  readonly service: string;
  /** What the lists hold that the whole plan makes in the account of a scope, where it is known. */
  readonly lists?: (scope: Pick<Scope, 'accountId'>) => ListsAsBefore | undefined;
  /** The shard that the plan covers; undefined when it covers the whole run. */
  readonly shard?: RunPart | undefined;
  readonly strategy: WriteStrategy;
  readonly preflight: 'auto' | 'off';
  /** A saved plan may be old, so all its rulesets are read before the first write. */
  readonly origin: 'fresh' | 'saved';
  /** Number of scopes written concurrently. */
  readonly concurrency: number;
  readonly journal: Journal;
  /** Waits for operations of lists. */
  readonly clock: Clock;
  /** Whether the writes of the run stay or are rolled back when a step fails. */
  readonly onFailure: 'stop' | 'rollback';
  readonly report: (event: ApplyEvent | PreflightEvent | RollbackEvent) => void;
  /** Stops the run between two writes. */
  readonly signal: AbortSignal | undefined;
}

/** Result of the preflight, reported before anything is written. */
export interface PreflightEvent {
  readonly kind: 'preflight';
  readonly preflight: Preflight;
}

/** Outcome of every step, in the order of the plan. */
export interface PlanOutcome {
  readonly outcomes: readonly Outcome[];
  readonly preflight: Preflight;
  /** The rollback after a failure; null when none ran. */
  readonly rollback: Rollback | null;
  /** What was written, to be put back later; null when nothing was begun. */
  readonly written: WrittenPlan | null;
}

/**
 * Carries out a plan: records the head of the run, checks that no ruleset of a saved plan has moved, has the service check every write with a dry
 * run, and makes the writes, scopes concurrently, only when nothing is refused. The caller records the end of the run.
 */
export async function applyPlan(run: PlanRun): Promise<PlanOutcome> {
  const { scopes, strategy, journal } = run;
  await journal.record({
    kind: 'run',
    purpose: 'apply',
    plan: run.digest,
    service: run.service,
    shard: run.shard,
    steps: scopes.flatMap(({ plan }) => plan.steps.map((step) => journalStep(step, plan, strategy))),
    ...journalObjects(scopes.map(({ plan }) => plan)),
  });
  const checked = await checkBefore(run);
  return checked.kind === 'ended' ? checked.outcome : writeScopes(run, checked.result);
}

/**
 * Checks a plan as `applyPlan` does before its first write, for a run that carries it out in parts: what the service would refuse of the last part
 * stops it before the first. Returns the outcomes of a run that ends before it writes; null when nothing prevents writing.
 */
export async function checkBeforeWriting(run: PlanRun): Promise<PlanOutcome | null> {
  const checked = await checkBefore(run);
  return checked.kind === 'ended' ? checked.outcome : null;
}

type Checked =
  | { readonly kind: 'ended'; readonly outcome: PlanOutcome }
  | { readonly kind: 'ready'; readonly result: PreflightResult };

async function checkBefore(run: PlanRun): Promise<Checked> {
  const { scopes, journal, report } = run;
  const moved = await movedBefore(run);
  if (moved !== null) {
    return { kind: 'ended', outcome: endBefore(run, moved, NO_PREFLIGHT) };
  }
  const checked = await check(run);
  report({ kind: 'preflight', preflight: checked.preflight });
  for (const found of checked.preflight.steps) {
    if (found.kind === 'wrote') {
      // A journal failure is not reported here: recording the end of the run meets the same failure and reports it.
      const entry = { kind: 'failed', step: found.step, message: found.message, landed: true } as const;
      await recordDone(journal, entry, () => undefined);
    }
  }
  const refused = refusedBefore(checked.preflight, objectSteps(scopes.map(({ plan }) => plan)));
  return refused === null
    ? { kind: 'ready', result: checked }
    : { kind: 'ended', outcome: endBefore(run, refused, checked.preflight) };
}

/**
 * Writes lists and settings that rules need, the scopes concurrently, and then the other lists and settings; rolls all back after a failure when `onFailure` says so.
 */
async function writeScopes(run: PlanRun, { preflight, untouched }: PreflightResult): Promise<PlanOutcome> {
  const { scopes, strategy, concurrency, journal, report, signal, clock } = run;
  const having = objectScopes(scopes, { journal, clock, report, signal });
  const first = await applyObjects(having, { turn: 'first', concurrency, before: [] });
  const vain = waitingInVain(
    scopes.map(({ plan }) => plan),
    having,
    first,
  );
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
      lists: run.lists?.(plan.scope),
      signal,
      made: NOTHING_MADE,
      trails: new Map(),
    },
  }));
  let putBack = run.onFailure === 'rollback' && first.some(isFailure);
  const ended = await limit.map(running, async ({ plan, run: scope }) => {
    if (putBack && signal?.aborted !== true) {
      return notBegun(plan, report);
    }
    const outcomes = await applyScope(withRoomFirst(plan, preflight), scope, vain);
    putBack ||= run.onFailure === 'rollback' && outcomes.some(isFailure);
    return outcomes;
  });
  const before = [...first, ...ended.flat()];
  const last = await applyObjects(having, { turn: 'last', concurrency, before });
  const outcomes = inPlanOrder(scopes, [...before, ...last]);
  putBack ||= run.onFailure === 'rollback' && last.some(isFailure);
  const written = { scopes: running, having, outcomes };
  const rollback = putBack && signal?.aborted !== true ? await rollBack(written, run) : null;
  return { outcomes, preflight, rollback, written };
}

/** Returns the outcomes in the order of the plan: those of lists and settings at the head of their scope. */
function inPlanOrder(scopes: readonly PlanScopeRun[], outcomes: readonly Outcome[]): readonly Outcome[] {
  const byStep = new Map(outcomes.map((outcome) => [outcome.step, outcome]));
  return scopes.flatMap(({ plan }) => stepIds(plan).flatMap((id) => byStep.get(id) ?? []));
}

/** Ends a scope that was not begun before another one failed: its writes would only be rolled back. */
function notBegun({ steps }: Pick<PlannedScope, 'steps'>, report: PlanRun['report']): readonly Outcome[] {
  const stop = { kind: 'because', reason: 'another scope failed, and all is to be put back' } as const;
  const outcomes = steps.map(({ id }) => stopped(id, 0, stop));
  outcomes.forEach((outcome) => report({ kind: 'step-ended', outcome }));
  return outcomes;
}

/** Checks the bases of a saved plan of several steps; returns the outcomes when a base has moved, null when nothing prevents the run. */
async function movedBefore({ scopes, origin, concurrency }: PlanRun): Promise<readonly Outcome[] | null> {
  const ids = scopes.flatMap(({ plan }) => stepIds(plan));
  const rewrites = origin === 'fresh' ? [] : await checkRewrites(scopes, concurrency);
  const hasLists = scopes.some(({ plan }) => plan.objects?.some(isListStep) === true);
  // A single step on a ruleset checks all of this itself before its first write.
  if (origin === 'fresh' || (ids.length < 2 && rewrites.length === 0 && !hasLists)) {
    return null;
  }
  const having = scopes.flatMap(({ plan: { scope, objects }, access }) =>
    objects === undefined ? [] : [{ objects, scope, client: access.client }],
  );
  const objects = await checkObjects(having, concurrency);
  const rulesets = await checkBases(
    scopes.map(({ plan, access }) => ({ plan, client: access.client })),
    concurrency,
  );
  if (objects.length === 0 && rulesets === null && rewrites.length === 0) {
    return null;
  }
  const found = new Map(
    [...(rulesets ?? []), ...objects, ...rewrites].map((outcome) => [outcome.step, outcome]),
  );
  const reason = 'other steps of the plan no longer fit, so nothing was written';
  return ids.map((step) => found.get(step) ?? { kind: 'not-reached', step, reason });
}

/**
 * Checks what a saved plan says about rewrites of the URL against all rulesets that it was made from. Whether one weakens depends on rules of later
 * phases, which the check of a single ruleset does not see.
 */
async function checkRewrites(scopes: PlanRun['scopes'], concurrency: number): Promise<readonly Outcome[]> {
  const limit = pLimit(concurrency);
  const checked = await limit.map(
    scopes.flatMap((one) =>
      one.plan.steps
        .filter(isRewriting)
        .slice(0, 1)
        .map((step) => ({ ...one, step })),
    ),
    async ({ plan, access, step: rewriting }) => {
      const first = phaseOrder(rewriting.target.phase);
      const entries: LiveEntry[] = [];
      for (const { base, target } of plan.bases.filter((one) => phaseOrder(one.target.phase) >= first)) {
        const address = addressOf(target);
        const ruleset = await readBase(access.client, plan.scope, base);
        if (ruleset !== null) {
          entries.push({ address, slot: { kind: 'present', ruleset } });
        } else if (base.kind === 'absent') {
          entries.push({ address, slot: { kind: 'absent' } });
        }
      }
      const found = rewriteMismatches(plan, entries);
      return plan.steps.flatMap((step) => {
        const mismatches = found.get(step.id);
        return mismatches === undefined ? [] : [mismatchOutcome(step.id, mismatches, misdescribed(step))];
      });
    },
  );
  return checked.flat();
}

/** Ends a run in which nothing was written. */
function endBefore({ report }: PlanRun, outcomes: readonly Outcome[], preflight: Preflight): PlanOutcome {
  for (const outcome of outcomes) {
    report({ kind: 'step-ended', outcome });
  }
  return { outcomes, preflight, rollback: null, written: null };
}

/** Whether the run is a single write, which needs no preflight. Never for a dry run: it makes no writes and exists to have them checked. */
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

/** Makes the steps that the quota has no room for wait for those that free it, whatever either does to protection. */
function withRoomFirst(plan: PlannedScope, { steps }: Preflight): PlannedScope {
  const waits = new Map(
    steps.flatMap((step) => (step.kind === 'passed' ? [[step.step, step.after ?? []]] : [])),
  );
  return {
    ...plan,
    steps: plan.steps.map((step) => ({ ...step, after: [...step.after, ...(waits.get(step.id) ?? [])] })),
  };
}

/** Returns the outcomes of a run that the preflight ends before the first write; null when nothing prevents writing. */
function refusedBefore({ steps }: Preflight, objects: readonly ObjectStep[]): readonly Outcome[] | null {
  if (steps.every((step) => againstWriting(step) === null)) {
    return null;
  }
  const reason = 'other steps did not pass the preflight, so nothing was written';
  return [
    ...objects.map(({ id }): Outcome => ({ kind: 'not-reached', step: id, reason })),
    ...steps.map((step): Outcome => againstWriting(step) ?? { kind: 'not-reached', step: step.step, reason }),
  ];
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
