import type { Outcome } from '../../model/outcome.ts';
import { isAchieved } from '../../model/outcome.ts';
import type { RetireStep } from '../../model/retirement.ts';
import { objectDigest } from '../../model/retirement.ts';
import type { JournalEntry } from '../journal/journal-entry.ts';
import { isAtBase } from '../../model/base.ts';
import { readOldObject } from './old-objects.ts';
import { STALE_HINT } from '../base/stale.ts';
import type { Effect } from '../base/write-failure.ts';
import { failureOutcome, unrecorded } from '../base/write-failure.ts';
import type { RetirementRun } from './retirement-run.ts';
import { deleteObject, isKept } from './delete-object.ts';
import { outcomeOfError } from '../steps/outcome-of-error.ts';
import { INTERRUPTED, stopped } from '../steps/stop.ts';
import type { Stop } from '../steps/stop.ts';
import { readEntrypoint, checkEntrypoint } from './check-entrypoint.ts';

/**
 * Deletes old objects one at a time, in the order of the plan. Each is read before it is deleted, and must be what the plan saw. After each deletion
 * the entry point that has taken over is read: if it is no longer what the plan was made from, the run stops and restores it. What is left is done by
 * a run of a new plan.
 */
export async function retireObjects(run: RetirementRun): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let stop: Stop | null = null;
  for (const step of run.plan.steps) {
    stop ??= run.signal?.aborted === true ? INTERRUPTED : null;
    const outcome = stop === null ? await retire(step, run) : stopped(step.id, 0, stop);
    run.report({ kind: 'step-ended', outcome });
    outcomes.push(outcome);
    if (stop === null && !isAchieved(outcome)) {
      stop = { kind: 'because', reason: `${step.id} was not done, and the order of deletions matters` };
    }
  }
  return outcomes;
}

/** Retires one object. Never throws, not even for bugs, since what was deleted so far has to be reported. */
async function retire(step: RetireStep, run: RetirementRun): Promise<Outcome> {
  run.report({ kind: 'step-started', scope: run.plan.scope, step: step.id, writes: 1 });
  try {
    return await retireOne(step, run);
  } catch (error) {
    return outcomeOfError(step.id, 0, error);
  }
}

async function retireOne(step: RetireStep, run: RetirementRun): Promise<Outcome> {
  const { plan, access } = run;
  const before = await readEntrypoint(run);
  if (!isAtBase(before, plan.base)) {
    return stale(step, `the entry point of ${plan.phase} moved since the plan was made`);
  }
  const old = await readOldObject(access.client, plan.scope, step.target);
  if (old === null) {
    return { kind: 'skipped', step: step.id, reason: goneReason(step) };
  }
  if (objectDigest(old) !== step.digest) {
    return stale(step, 'it changed since the plan was made');
  }
  if (access.kind === 'dry-run') {
    return { kind: 'skipped', step: step.id, reason: 'dry run: 1 to delete', toWrite: 1 };
  }
  await run.journal.record({
    kind: 'intent',
    step: step.id,
    write: { kind: `delete-${step.target.kind}`, id: step.target.id },
    base: step.before,
  });
  const result = await deleteObject(step, run);
  if (result.kind === 'kept') {
    const { error, failure } = result;
    const isInDoubt = failure.effect.kind === 'in-doubt';
    const lost = await record(step, run, failure.effect, {
      kind: 'failed',
      step: step.id,
      message: failure.message,
      landed: false,
      ...(isInDoubt ? { inDoubt: true } : {}),
    });
    if (lost !== null) {
      return lost;
    }
    if (error.code === 'api/aborted' && !isInDoubt) {
      return stopped(step.id, 0, INTERRUPTED);
    }
    return isKept(step, error)
      ? { kind: 'skipped', step: step.id, reason: `left: the service keeps it (${error.message})` }
      : failureOutcome(step.id, failure, 0);
  }
  const landed = { kind: 'landed', version: null } as const;
  const lost = await record(step, run, landed, { ...landed, step: step.id });
  return lost ?? checkEntrypoint(step, run, before);
}

/** Records the result of a deletion. Returns null, or the outcome when the journal cannot be written: the run does not go on without it. */
async function record(
  step: RetireStep,
  { journal }: RetirementRun,
  effect: Effect,
  entry: JournalEntry,
): Promise<Outcome | null> {
  try {
    await journal.record(entry);
    return null;
  } catch (error) {
    return failureOutcome(step.id, unrecorded(error, effect), 0);
  }
}

function goneReason({ target }: RetireStep): string {
  return target.kind === 'filter' ? 'it went with its rule' : 'it is gone already';
}

function stale(step: RetireStep, message: string): Outcome {
  return { kind: 'refused', step: step.id, code: 'apply/stale', message, hint: STALE_HINT, writes: 0 };
}
