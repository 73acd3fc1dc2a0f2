import type { WriteClient } from '../../api/index.ts';
import type { NormalisedRule, Outcome, Step, LiveRuleset } from '../../model/index.ts';
import { mismatchOutcome } from './mismatch-outcome.ts';
import { planMismatches, stepSecrets, plannedWrites } from '../../plan/index.ts';
import type { StepSecrets, PlannedWrite, Write } from '../../plan/index.ts';
import type { ScopeRun, WriteTask, UntouchedRules } from '../write/scope-run.ts';
import { restoreConcurrentEdits } from '../write/restore-concurrent-edits.ts';
import { isAtBase, RulewrightError } from '../../model/index.ts';
import { insisting, insistingWriter, lookUp, isAsLeft, listedAs } from '../base/look-up.ts';
import { nameCreated, withMade } from '../base/name-created.ts';
import type { WriteResult } from '../write/perform-write.ts';
import { effectOf, performWrite } from '../write/perform-write.ts';
import { judgeMoved, staleOutcome } from '../base/check-bases.ts';
import { failureOutcome, NO_EFFECT, outcomeOfError, INTERRUPTED, stopped } from '../write/write-failure.ts';
import { namesUntouchedRules, withUntouchedRules } from '../write/scope-run.ts';
import { getRuleset, ownRulesets, isNotFound, orElse } from '../../api/index.ts';
import { PLAN_AGAIN } from '../write/conflict.ts';
import type { LandedWrite } from '../write/judge-write.ts';
import type { WriteEffect } from '../write/write-failure.ts';

/**
 * Deletes a custom ruleset that was just made if there is another one of the same name: the service accepts several, so two runs at the same moment
 * can both make it, and no later plan could tell which is meant. Nobody uses the new one yet, and of two runs at least the later one sees the
 * other's. Deletes only what this run certainly made: the ruleset whose id came in the answer, and that is, read by that id, what the answer says.
 */
async function removeDuplicate(task: WriteTask, made: LandedWrite): Promise<WriteResult> {
  const { write } = task;
  const { ruleset: ours } = made;
  if (write.kind !== 'create-ruleset' || write.target.level !== 'custom' || ours === null) {
    return made;
  }
  const { twins, isListed } = await twinsOf(task, ours);
  if (twins.length === 0 && isListed) {
    return made;
  }
  const certainty = await isOurs(task, ours);
  if (twins.length === 0 && certainty !== 'not-ours') {
    return made;
  }
  const beside = twins.length === 0 ? '' : `; ${twins.join(', ')} has this name`;
  if (certainty === 'not-ours') {
    return conflict(
      LANDED,
      `the service answered the creation with the id ${ours.id}, but that is not what this run made${beside}. Nothing was deleted`,
      'look at the custom rulesets of this name, then plan again',
    );
  }
  const others = `somebody else made a custom ruleset of this name at the same moment: ${twins.join(', ')}`;
  if (certainty === 'unknown' || made.from === 'live') {
    return conflict(
      LANDED,
      `${others}, beside ${ours.id}; which of them this run made is not certain, so nothing was deleted`,
      'delete all but one of them, then plan again: no rule of this run makes use of any yet',
    );
  }
  return (await isTakenAway(task, ours))
    ? conflict(NO_EFFECT, `${others}; the one of this run was deleted again`, PLAN_AGAIN)
    : conflict(
        { kind: 'landed', version: ours.version },
        `${others}, beside ${ours.id} of this run`,
        `delete one of them, then plan again: of ${ours.id} no rule makes use yet`,
      );
}

/** Returns the other custom rulesets of the name, and whether the list shows the one that was made. */
async function twinsOf({ reader, run: { scope }, step }: WriteTask, ours: LiveRuleset) {
  const twins = async () => {
    const named = await listedAs(reader, scope, step.target);
    const others = await ownRulesets(
      reader,
      scope,
      named.filter(({ id }) => id !== ours.id),
    );
    return { twins: others.map(({ id }) => id), isListed: named.some(({ id }) => id === ours.id) };
  };
  // When a list cannot be read, the next plan names both, if there are two.
  return orElse(twins(), () => ({ twins: [], isListed: false }));
}

const LANDED: WriteEffect = { kind: 'landed', version: null };

function conflict(effect: WriteEffect, message: string, hint: string): WriteResult {
  return { kind: 'conflict', message, hint, others: [], unread: [], effect };
}

/** Whether the ruleset with the id of the answer is what the answer says: name, kind, phase, version and content. */
function isOurs({ reader, run }: WriteTask, ours: LiveRuleset): Promise<'ours' | 'not-ours' | 'unknown'> {
  return orElse(
    getRuleset(reader, run.scope, ours.id).then((live) => (isAsLeft(ours, live) ? 'ours' : 'not-ours')),
    (error) => (isNotFound(error) ? 'not-ours' : 'unknown'),
  );
}

async function isTakenAway(task: WriteTask, ours: LiveRuleset): Promise<boolean> {
  try {
    const write = { kind: 'delete-ruleset', id: ours.id } as const;
    const gone = await performWrite({ ...task, write, before: ours });
    return gone.kind === 'landed';
  } catch (error) {
    // A journal that cannot be written ends the run; the ruleset that it made is still reported.
    if (error instanceof RulewrightError) {
      return false;
    }
    throw error;
  }
}

/** Progress of a step. */
export type StepState =
  | { readonly kind: 'waiting' }
  | {
      readonly kind: 'running';
      /** The ruleset after the writes so far. */
      readonly live: LiveRuleset | null;
      readonly done: number;
      readonly normalised: readonly NormalisedRule[];
      readonly secrets: StepSecrets;
    }
  | { readonly kind: 'ended'; readonly outcome: Outcome };

/** A step and its writes, in order. */
export interface StepRun {
  readonly step: Step;
  readonly writes: readonly PlannedWrite[];
}

/** Prepares a step for its first write. */
export function openStep(step: Step, run: ScopeRun): StepRun {
  return { step, writes: plannedWrites(step, run.strategy) };
}

/**
 * Advances a step by one write. Before the first write, reads the base again; a base that has moved ends the step. Never throws, not even for bugs,
 * because other scopes are being written at the same time.
 */
export async function advance(
  { step, writes }: StepRun,
  state: Exclude<StepState, { readonly kind: 'ended' }>,
  run: ScopeRun,
): Promise<StepState> {
  const done = state.kind === 'running' ? state.done : 0;
  try {
    const begun = state.kind === 'running' ? state : await begin(step, writes.length, run);
    if (begun.kind === 'ended') {
      return begun;
    }
    const planned = writes[begun.done];
    const { access } = run;
    return planned === undefined || access.kind === 'dry-run'
      ? end({ kind: 'done', step: step.id, version: begun.live?.version ?? null, writes: done })
      : await write(step, {
          planned: planned.write,
          total: writes.length,
          begun,
          run,
          client: access.client,
        });
  } catch (error) {
    // A bug in one scope must not lose what is known of the others.
    return end(outcomeOfError(step.id, done, error));
  }
}

type RunningStep = Extract<StepState, { readonly kind: 'running' }>;

/** Reads live before the first write, and ends the step unless it can start from there. */
async function begin(
  step: Step,
  writes: number,
  run: ScopeRun,
): Promise<Exclude<StepState, { kind: 'waiting' }>> {
  run.report({ kind: 'step-started', scope: run.scope, step: step.id, writes });
  const { client } = run.access;
  const live = await lookUp(client, run.scope, step.target, step.base);
  if (!isAtBase(live, step.base)) {
    const moved = await judgeMoved({ client, scope: run.scope, step, live, made: run.made });
    if (moved.kind === 'already') {
      run.made = withMade(run.made, step, live);
      return end({ kind: 'skipped', step: step.id, reason: 'live already matches this step' });
    }
    return end(staleOutcome(step, moved));
  }
  const mismatches = planMismatches(step, live, run);
  if (mismatches.length > 0) {
    return end(mismatchOutcome(step.id, mismatches, misdescribed(step)));
  }
  if (run.access.kind === 'dry-run') {
    return end({ kind: 'skipped', step: step.id, reason: `dry run: ${writes} to write`, toWrite: writes });
  }
  return { kind: 'running', live, done: 0, normalised: [], secrets: stepSecrets(step) };
}

/** Names what a step misdescribes. */
export function misdescribed({ base }: Step): string {
  return base.kind === 'version'
    ? `version ${base.version} of the ruleset`
    : 'live, where the ruleset does not exist';
}

interface NextWrite {
  readonly planned: Write;
  readonly total: number;
  readonly begun: RunningStep;
  readonly run: ScopeRun;
  readonly client: WriteClient;
}

async function write(step: Step, { planned, total, begun, run, client }: NextWrite): Promise<StepState> {
  const { live, done, secrets } = begun;
  const named = nameCreated(planned, step.target.phase, run.made);
  const before = run.trails.get(step.id)?.before ?? live;
  const send = async (
    form: UntouchedRules,
  ): Promise<{ readonly sent: Write; readonly result: WriteResult }> => {
    const sent = withUntouchedRules(named, live, form);
    const task = { step, write: sent, before: live, client, reader: insisting(client), run, secrets };
    const result = await performWrite(task);
    return { sent, result: await mended({ ...task, client: insistingWriter(client) }, result) };
  };
  const first = await send(run.untouched);
  const { sent, result } =
    run.untouched === 'unproven' && namesUntouchedRules(named) && isRefused(first.result)
      ? await send('whole')
      : first;
  if (result.kind === 'interrupted') {
    return end(stopped(step.id, done, INTERRUPTED));
  }
  if (result.kind !== 'landed') {
    run.trails.set(step.id, {
      step,
      before,
      left: live,
      inFlight: { write: sent, effect: effectOf(result) },
    });
    const outcome = failureOutcome(step.id, result, done);
    const isWhole = done + 1 === total && isKnownConflict(result);
    return end(isWhole && outcome.kind === 'conflict' ? { ...outcome, allLanded: true } : outcome);
  }
  run.trails.set(step.id, { step, before, left: result.ruleset, inFlight: null });
  run.made = withMade(run.made, step, result.ruleset);
  const normalised = [...begun.normalised, ...result.normalised];
  if (done + 1 < total) {
    return { kind: 'running', live: result.ruleset, done: done + 1, normalised, secrets };
  }
  if (result.ruleset !== null) {
    await run.keep?.(run.scope, result.ruleset);
  }
  return end({
    kind: 'done',
    step: step.id,
    version: result.ruleset?.version ?? null,
    writes: done + 1,
    ...(normalised.length === 0 ? {} : { normalised: lastOfEach(normalised) }),
  });
}

/** Undoes unintended effects of a write: a duplicate custom ruleset, and rules of others that a PUT of the rule list removed or reverted. */
function mended(task: WriteTask, result: WriteResult): WriteResult | Promise<WriteResult> {
  switch (result.kind) {
    case 'landed':
      return removeDuplicate(task, result);
    case 'conflict':
      return restoreConcurrentEdits(task, result);
    default:
      return result;
  }
}

/** Whether a write landed beside writes of others, all of which could be read. */
function isKnownConflict(result: WriteResult): boolean {
  return result.kind === 'conflict' && result.race !== undefined && result.unread.length === 0;
}

/** Whether the service judged and rejected a write, leaving live unchanged. */
function isRefused(result: WriteResult): boolean {
  return result.kind === 'failed' && result.code === 'api/refused' && result.effect.kind === 'none';
}

/** Keeps the last entry of each rule: later writes of a step report the rules of earlier writes again. */
function lastOfEach(normalised: readonly NormalisedRule[]): readonly NormalisedRule[] {
  return [...new Map(normalised.map((rule) => [rule.rule, rule])).values()];
}

function end(outcome: Outcome): Extract<StepState, { readonly kind: 'ended' }> {
  return { kind: 'ended', outcome };
}
