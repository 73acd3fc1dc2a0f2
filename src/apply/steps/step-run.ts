import type { WriteClient } from '../../api/client.ts';
import type { NormalisedRule, Outcome } from '../../model/outcome.ts';
import type { Step } from '../../model/plan.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import { planMismatches } from '../../plan/difference/plan-mismatches.ts';
import type { StepSecrets } from '../../plan/hide/written-secrets.ts';
import { stepSecrets } from '../../plan/hide/written-secrets.ts';
import type { PlannedWrite, Write } from '../../plan/requests/writes.ts';
import { plannedWrites } from '../../plan/requests/writes.ts';
import type { ScopeRun } from '../write/run.ts';
import { outcomeOfError } from './outcome-of-error.ts';
import { INTERRUPTED, stopped } from './stop.ts';
import { bringBack } from '../write/bring-back.ts';
import { removeDuplicate } from '../write/remove-duplicate.ts';
import { isAtBase } from '../../model/base.ts';
import { insisting, insistingWriter, lookUp } from '../base/look-up.ts';
import { nameCreated, withMade } from '../base/name-created.ts';
import type { WriteResult } from '../write/perform-write.ts';
import type { WriteTask } from '../write/write-task.ts';
import { effectOf, performWrite } from '../write/perform-write.ts';
import { judgeMoved, staleOutcome } from '../base/stale.ts';
import { failureOutcome } from '../base/write-failure.ts';
import type { UntouchedRules } from '../write/untouched-rules.ts';
import { namesUntouchedRules, withUntouchedRules } from '../write/untouched-rules.ts';

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

type Running = Extract<StepState, { readonly kind: 'running' }>;

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
  const mismatches = planMismatches(step, live, run.scope);
  if (mismatches.length > 0) {
    return end(mismatchOutcome(step, mismatches));
  }
  if (run.access.kind === 'dry-run') {
    return end({ kind: 'skipped', step: step.id, reason: `dry run: ${writes} to write`, toWrite: writes });
  }
  return { kind: 'running', live, done: 0, normalised: [], secrets: stepSecrets(step) };
}

/** Error code of a step that misdescribes live: its plan was not made from this live state, so nothing in it is trusted. */
export const PLAN_MISMATCH = 'apply/plan-mismatch';

/** Maximum number of mismatches that a message lists. */
const MOST_MISMATCHES = 10;

function mismatchOutcome(step: Step, mismatches: readonly string[]): Outcome {
  const more = mismatches.length > MOST_MISMATCHES ? [`and ${mismatches.length - MOST_MISMATCHES} more`] : [];
  const told = [...mismatches.slice(0, MOST_MISMATCHES), ...more].join('; ');
  return {
    kind: 'refused',
    step: step.id,
    code: PLAN_MISMATCH,
    message: `the plan does not describe ${described(step)}: ${told}`,
    hint: 'the plan file was edited, or the version cache was wrong (it is now discarded). Plan again and review the new plan',
    writes: 0,
  };
}

function described({ base }: Step): string {
  return base.kind === 'version'
    ? `version ${base.version} of the ruleset`
    : 'live, where the ruleset does not exist';
}

interface NextWrite {
  readonly planned: Write;
  readonly total: number;
  readonly begun: Running;
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
    run.trails.set(step.id, { step, before, left: live, inHand: { write: sent, effect: effectOf(result) } });
    const outcome = failureOutcome(step.id, result, done);
    const isWhole = done + 1 === total && isKnownConflict(result);
    return end(isWhole && outcome.kind === 'conflict' ? { ...outcome, allLanded: true } : outcome);
  }
  run.trails.set(step.id, { step, before, left: result.ruleset, inHand: null });
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
      return bringBack(task, result);
    default:
      return result;
  }
}

/** Whether a write landed beside writes of others, all of which could be read. */
function isKnownConflict(result: WriteResult): boolean {
  return result.kind === 'conflict' && result.clash !== undefined && result.unread.length === 0;
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
