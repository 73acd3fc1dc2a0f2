import { isMaintenanceMode, ServiceError, orElse, serviceErrorOf } from '../../api/service-error.ts';
import { RulewrightError, errorFacts } from '../../model/error.ts';
import type { Outcome } from '../../model/outcome.ts';
import { isAchieved } from '../../model/outcome.ts';
import type { RetireStep, RetirementPlan } from '../../model/retirement.ts';
import { objectDigest } from '../../model/retirement.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import type { Access, ApplyEvent } from '../context.ts';
import type { Journal, JournalEntry } from '../journal/journal-entry.ts';
import { insisting, isAtBase, lookUp } from '../base/look-up.ts';
import { deleteOldObject, readOldObject } from './old-objects.ts';
import { restoreEntrypoint } from '../rollback/restore-entrypoint.ts';
import { NOT_SHOWN, mayComeLate, notReadable } from '../write/settle-write.ts';
import { STALE_HINT } from '../base/stale.ts';
import type { Effect } from '../write/write-failure.ts';
import { failureOf, inDoubt, failureOutcome, unrecorded } from '../write/write-failure.ts';

/** A retirement that is carried out. */
export interface RetirementRun {
  readonly plan: RetirementPlan;
  readonly access: Access;
  readonly journal: Journal;
  readonly report: (event: ApplyEvent) => void;
  /** Stops the run between two deletions. */
  readonly signal: AbortSignal | undefined;
}

/** The most times that a deletion is sent, each time only after it is certain that the one before did nothing. */
const ATTEMPTS = 3;

/**
 * Deletes old things one at a time, in the order of the plan. Each is read before it is deleted and must be what the plan
 * saw; after each the entry point that has taken over is read, and when it is no longer what the plan was made from, the run
 * stops and gives it back what it had. What is not done is done by a run that is planned afresh.
 */
export async function retireObjects(run: RetirementRun): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let stop: string | null = null;
  for (const step of run.plan.steps) {
    const reason: string | null = stop ?? (run.signal?.aborted === true ? 'interrupted' : null);
    const outcome: Outcome =
      reason === null ? await retire(step, run) : { kind: 'not-reached', step: step.id, reason };
    run.report({ kind: 'step-ended', outcome });
    outcomes.push(outcome);
    if (reason === null && !isAchieved(outcome)) {
      stop = `${step.id} was not done, and the order of deletions matters`;
    }
  }
  return outcomes;
}

async function retire(step: RetireStep, run: RetirementRun): Promise<Outcome> {
  run.report({ kind: 'step-started', step: step.id, writes: 1 });
  try {
    return await retireOne(step, run);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'api/aborted' && error.effect === 'none') {
      return { kind: 'not-reached', step: step.id, reason: 'interrupted' };
    }
    if (error instanceof ServiceError) {
      return failureOutcome(step.id, withHint(failureOf(error), error), 0);
    }
    if (error instanceof RulewrightError && error.code === 'apply/journal') {
      return { kind: 'failed', step: step.id, ...errorFacts(error), writes: 0 };
    }
    throw error;
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
  if (objectDigest(old) !== step.base.digest) {
    return stale(step, 'it changed since the plan was made');
  }
  if (access.kind === 'dry-run') {
    return { kind: 'skipped', step: step.id, reason: 'dry run: 1 to delete' };
  }
  await run.journal.record({
    kind: 'intent',
    step: step.id,
    write: { kind: `delete-${step.target.kind}`, id: step.target.id },
    base: step.before,
  });
  const result = await send(step, run);
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
      return { kind: 'not-reached', step: step.id, reason: 'interrupted' };
    }
    return isKept(step, error)
      ? { kind: 'skipped', step: step.id, reason: `left: the service keeps it (${error.message})` }
      : failureOutcome(step.id, failure, 0);
  }
  const landed = { kind: 'landed', version: null } as const;
  const lost = await record(step, run, landed, { ...landed, step: step.id });
  return lost ?? checkEntrypoint(step, run, before);
}

/** Records what came of a deletion; the outcome where the journal does not take it, for the run does not go on without. */
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

type Failure = ReturnType<typeof failureOf>;

type Sent =
  | { readonly kind: 'gone' }
  | { readonly kind: 'kept'; readonly error: ServiceError; readonly failure: Failure };

/** Deletes, and looks after an unknown outcome: what is gone was deleted, what is there can be deleted once more. */
async function send(step: RetireStep, run: RetirementRun): Promise<Sent> {
  let lost: ServiceError | null = null;
  for (let count = 1; ; count += 1) {
    const error = await serviceErrorOf(deleteNow(step, run));
    if (error === null) {
      return { kind: 'gone' };
    }
    lost ??= mayComeLate(error) ? error : null;
    const seen = await look(step, run);
    if (seen === 'gone') {
      return { kind: 'gone' };
    }
    const mayRepeat = error.effect === 'unknown' && error.code !== 'api/aborted' && count < ATTEMPTS;
    if (seen === 'there' && mayRepeat) {
      continue;
    }
    const isDoubtful =
      !isKept(step, error) && (lost !== null || (seen !== 'there' && error.effect === 'unknown'));
    const failure = isDoubtful
      ? inDoubt(lost ?? error, seen === 'there' ? NOT_SHOWN : notReadable(seen))
      : withHint(failureOf(error), error);
    return { kind: 'kept', error, failure };
  }
}

async function deleteNow(step: RetireStep, { plan, access }: RetirementRun): Promise<void> {
  if (access.kind === 'dry-run') {
    throw new RulewrightError('a dry run deletes nothing', { code: 'apply/misuse', fault: 'bug' });
  }
  await deleteOldObject(access.client, plan.scope, step);
}

/** Whether an old object is still there; an error where that cannot be read. */
function look(step: RetireStep, { plan, access }: RetirementRun): Promise<'gone' | 'there' | ServiceError> {
  const old = readOldObject(insisting(access.client), plan.scope, step.target);
  return orElse(
    old.then((found) => (found === null ? 'gone' : 'there')),
    (error) => error,
  );
}

/** Reads the entry point again; what a deletion changed in it is given back. */
async function checkEntrypoint(
  step: RetireStep,
  run: RetirementRun,
  before: LiveRuleset | null,
): Promise<Outcome> {
  const now = await orElse(readEntrypoint(run, 'insist'), (error) => error);
  if (now instanceof ServiceError) {
    const message = `It was deleted, but the entry point could not be read after it: ${now.message}`;
    return failureOutcome(step.id, { ...failureOf(now), message }, 1);
  }
  if (isAtBase(now, run.plan.base)) {
    return { kind: 'done', step: step.id, version: null, writes: 1 };
  }
  const restored =
    before === null
      ? { message: 'there was none, and now there is', hint: STALE_HINT }
      : await restoreEntrypoint(run, before, now);
  return {
    kind: 'conflict',
    step: step.id,
    message: `the entry point of ${run.plan.phase} changed when it was deleted: ${restored.message}`,
    hint: restored.hint,
    writes: 1,
  };
}

function readEntrypoint(
  { plan, access }: RetirementRun,
  urgency: 'insist' | 'usual' = 'usual',
): Promise<LiveRuleset | null> {
  const client = urgency === 'insist' ? insisting(access.client) : access.client;
  const { scope, phase, base } = plan;
  return lookUp(client, scope, { kind: 'ruleset', level: 'zone', phase, name: '' }, base);
}

/** Whether the service holds on to a filter, which is used elsewhere: it does so however often it is asked. */
function isKept({ target }: RetireStep, error: ServiceError): boolean {
  return target.kind === 'filter' && error.code === 'api/refused' && !isMaintenanceMode(error);
}

function withHint(failure: Failure, error: ServiceError): Failure {
  return isMaintenanceMode(error)
    ? {
        ...failure,
        hint: 'the old interface of this zone is read-only: its objects can no longer be deleted, and need not be; ask the vendor what still applies',
      }
    : failure;
}
