import pLimit from 'p-limit';
import { errorFacts, knownError } from '../../model/error.ts';
import type { Outcome, Rollback } from '../../model/outcome.ts';
import { isAchieved } from '../../model/outcome.ts';
import type { PlannedScope } from '../../model/plan.ts';
import type { RunPart } from '../../model/shard.ts';
import { effectDigest } from '../../plan/document/digest.ts';
import { hiddenNotes } from '../../plan/hide/hidden-notes.ts';
import { applyScope } from '../steps/apply-scope.ts';
import type { ScopeRun } from '../write/run.ts';
import { journalStep } from '../journal/journal-entry.ts';
import type { Journal } from '../journal/journal-entry.ts';
import { insisting } from '../base/look-up.ts';
import { NOTHING_MADE } from '../base/name-created.ts';
import { mayHaveWritten } from '../base/trail.ts';
import { planWayBack, tellDoubt } from './way-back.ts';

/** A scope of a failed run, and what the run did in it. */
export interface RunScope {
  readonly plan: PlannedScope;
  readonly run: ScopeRun;
}

/** How to put a failed run back. */
export interface RollbackOptions {
  readonly service: string;
  /** The shard that the run covers; undefined when it covers the whole run. */
  readonly shard: RunPart | undefined;
  readonly journal: Journal;
  readonly concurrency: number;
  /** Called with the number of rulesets that are about to be put back. */
  readonly begin: (rulesets: number) => void;
}

/**
 * Puts the rulesets that a run has written back to what they were, dependents first: by a plan of its own, based on what the run left, and written
 * and checked as any other. The guards are not asked again: live goes back to what it was a moment ago, and only what the run itself made is deleted.
 * Rulesets that somebody else has touched since are left alone.
 */
export async function rollBack(scopes: readonly RunScope[], options: RollbackOptions): Promise<Rollback> {
  const limit = pLimit(options.concurrency);
  const ways = await limit.map(scopes, async ({ plan, run }) => ({
    run,
    ...(await planWayBack(
      plan,
      [...run.trails.values()].filter(mayHaveWritten),
      insisting(run.access.client),
    )),
  }));
  const told = ways.flatMap(({ outcomes }) => outcomes);
  const planned = ways.flatMap(({ plan, run }) =>
    plan === null || plan.steps.length === 0 ? [] : [{ plan, run }],
  );
  const plans = planned.map(({ plan }) => plan);
  options.begin(plans.reduce((count, { steps }) => count + steps.length, 0));
  const stopped = await recordHead(plans, options, scopes[0]?.run);
  const written =
    stopped ??
    (await limit.map(planned, ({ plan, run }) =>
      applyScope(plan, { ...run, made: NOTHING_MADE, trails: new Map() }),
    ));
  const doubtful = ways.flatMap(({ inDoubt }) => inDoubt);
  const outcomes = tellDoubt([...told, ...written.flat()], doubtful);
  const notes = plans.flatMap(hiddenNotes);
  const whole = outcomes.every(isAchieved);
  const sameIds = notes.every(({ kind }) => kind !== 'id-lost');
  return { result: !whole ? 'partial' : sameIds ? 'as-before' : 'new-ids', outcomes, notes };
}

/** Records the head of the rollback. Returns null, or the outcomes of all steps when it cannot be recorded: nothing is written without it. */
async function recordHead(
  plans: readonly PlannedScope[],
  { journal, service, shard }: RollbackOptions,
  run: ScopeRun | undefined,
): Promise<readonly (readonly Outcome[])[] | null> {
  if (plans.length === 0 || run === undefined) {
    return null;
  }
  try {
    await journal.record({
      kind: 'run',
      purpose: 'rollback',
      plan: effectDigest(plans),
      service,
      shard,
      steps: plans.flatMap((plan) => plan.steps.map((step) => journalStep(step, plan, run.strategy))),
    });
    return null;
  } catch (error) {
    const facts = errorFacts(knownError(error));
    return plans.map((plan) =>
      plan.steps.map(({ id }): Outcome => ({ kind: 'failed', step: id, ...facts, writes: 0 })),
    );
  }
}
