import pLimit from 'p-limit';
import type { Outcome, PlannedScope, Rollback, RunPart } from '../../model/index.ts';
import { errorFacts, isAchieved, knownError } from '../../model/index.ts';
import { effectDigest, hiddenNotes } from '../../plan/index.ts';
import { insisting } from '../base/look-up.ts';
import { NOTHING_MADE } from '../base/name-created.ts';
import type { Journal } from '../journal/journal-entry.ts';
import { journalStep } from '../journal/journal-entry.ts';
import type { ObjectsBack, ObjectScope } from '../objects/apply-objects.ts';
import { putObjectsBack } from '../objects/apply-objects.ts';
import { applyScope } from '../steps/apply-scope.ts';
import type { ScopeRun } from '../write/scope-run.ts';
import { mayHaveWritten } from '../write/scope-run.ts';
import { versionCommand } from '../write/command-on-version.ts';
import { planWayBack, tellDoubt } from './way-back.ts';

/** A scope of a run, and what the run did in it. */
interface RunScope {
  readonly plan: PlannedScope;
  readonly run: ScopeRun;
}

/** A plan that was carried out in this process: how to put back what it wrote. */
export interface WrittenPlan {
  readonly scopes: readonly RunScope[];
  readonly having: readonly ObjectScope[];
  readonly outcomes: readonly Outcome[];
}

/** Reports that the rulesets written by this run are about to be rolled back. */
export interface RollbackEvent {
  readonly kind: 'rolling-back';
  readonly rulesets: number;
}

/** What putting back takes of the run that wrote. */
export interface RollbackRun {
  readonly service: string;
  /** The shard that the run covers; undefined when it covers the whole run. */
  readonly shard?: RunPart | undefined;
  readonly journal: Journal;
  readonly concurrency: number;
  readonly report: (event: RollbackEvent) => void;
}

/**
 * Puts back what several plans of one run have written, the newest first, and returns what came of each, in the order of the plans. Where putting one
 * back fails, those before it stay as the run left them, and their steps are told as not reached.
 */
export async function rollBackAll(
  written: readonly WrittenPlan[],
  run: RollbackRun,
): Promise<readonly Rollback[]> {
  const ended: Rollback[] = [];
  let failed: Outcome | undefined;
  for (const plan of written.toReversed()) {
    ended.push(failed === undefined ? await rollBack(plan, run) : leftWritten(plan, failed));
    failed ??= ended.at(-1)?.outcomes.find(({ kind }) => kind === 'failed');
  }
  return ended.toReversed();
}

/** Joins what came of several plans that were put back, given in the order in which they were written. */
export function joinRollbacks(all: readonly Rollback[]): Rollback {
  const ended = all.toReversed();
  const results = ended.map(({ result }) => result);
  return {
    result: (['partial', 'new-ids'] as const).find((one) => results.includes(one)) ?? 'as-before',
    outcomes: ended.flatMap(({ outcomes }) => outcomes),
    notes: ended.flatMap(({ notes }) => notes),
  };
}

/** Tells of a plan that it stays written, since a later one could not be put back. */
function leftWritten({ outcomes }: WrittenPlan, failed: Outcome): Rollback {
  const reason = `this run wrote it and did not put it back, since ${failed.step} could not be put back`;
  return {
    result: 'partial',
    outcomes: outcomes.flatMap((outcome) =>
      'writes' in outcome && outcome.writes > 0
        ? [{ kind: 'not-reached' as const, step: outcome.step, reason }]
        : [],
    ),
    notes: [],
  };
}

/**
 * Puts the rulesets that a run has written back to what they were, dependents first: by a plan of its own, based on what the run left, and written
 * and checked as any other. The guards are not asked again: live goes back to what it was a moment ago, and only what the run itself made is deleted.
 * Rulesets that somebody else has touched since are left alone.
 */
export async function rollBack(
  { scopes, having, outcomes: ended }: WrittenPlan,
  run: RollbackRun,
): Promise<Rollback> {
  const { concurrency, report } = run;
  const limit = pLimit(concurrency);
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
  const rulesets = plans.reduce((count, { steps }) => count + steps.length, 0);
  if (rulesets > 0) {
    report({ kind: 'rolling-back', rulesets });
  }
  const stopped = await recordHead(plans, run, scopes[0]?.run);
  const objectsBack = (when: ObjectsBack): Promise<readonly Outcome[]> =>
    putObjectsBack(having, ended, { when, concurrency });
  const objectsFirst = await objectsBack('before-rules');
  const written =
    stopped ??
    (await limit.map(planned, ({ plan, run }) =>
      applyScope(plan, { ...run, made: NOTHING_MADE, trails: new Map() }),
    ));
  const doubtful = ways.flatMap(({ inDoubt }) => inDoubt);
  const objectsLast = await objectsBack('after-rules');
  const outcomes = [
    ...objectsFirst,
    ...tellDoubt([...told, ...written.flat()], doubtful),
    ...objectsLast,
  ].map((outcome) => tellByHand(outcome, scopes));
  const notes = plans.flatMap(hiddenNotes);
  const whole = outcomes.every(isAchieved);
  const sameIds = notes.every(({ kind }) => kind !== 'id-lost');
  return { result: !whole ? 'partial' : sameIds ? 'as-before' : 'new-ids', outcomes, notes };
}

/** Adds to the outcome of a ruleset that could not be put back how somebody does it by hand; one with a write in doubt has to wait for that first. */
function tellByHand(outcome: Outcome, scopes: readonly RunScope[]): Outcome {
  const [trail] = scopes.flatMap(({ run }) => run.trails.get(outcome.step) ?? []);
  const [plan] = scopes.flatMap((one) => (one.run.trails.has(outcome.step) ? [one.plan] : []));
  if (
    outcome.kind !== 'failed' ||
    outcome.inDoubt === true ||
    trail?.step.base.kind !== 'version' ||
    plan === undefined
  ) {
    return outcome;
  }
  const { target, base } = trail.step;
  const command = versionCommand('rollback', { scope: plan.scope, target, option: `--to ${base.version}` });
  const first = outcome.hint === undefined ? '' : `${outcome.hint}; `;
  return { ...outcome, hint: `${first}to put it back by hand: ${command}` };
}

/** Records the head of the rollback. Returns null, or the outcomes of all steps when it cannot be recorded: nothing is written without it. */
async function recordHead(
  plans: readonly PlannedScope[],
  { journal, service, shard }: RollbackRun,
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
