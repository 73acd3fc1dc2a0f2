import {
  basesByPlace,
  expectPlan,
  placeOf,
  movedSince,
  isRestOf,
  guardReviewedPart,
} from '../../../app/index.ts';
import type { PartialApply } from '../../../app/index.ts';
import { assertNever } from '../../../data/index.ts';
import { isAchieved, objectSteps, scopeLabel } from '../../../model/index.ts';
import type { PlanDifference, Plan, GuardFinding, Safety } from '../../../model/index.ts';
import { someNames, counted } from '../../../text/index.ts';
import { countFailed, differencesDocument, escapeText, wholeText } from '../../../report/index.ts';
import type { ExitCode } from '../../exit-code.ts';
import { EXIT } from '../../exit-code.ts';
import type { ApplyRun, ApplyCommand } from '../apply-run.ts';
import { startProgress } from '../../progress.ts';
import { serviceOf } from '../../service-choice.ts';
import type { EndedEarly } from '../report-findings.ts';
import type { Planned } from '../plan-files.ts';
import { readSavedPlan, isNarrowed } from '../saved-plan.ts';
import { hasOpen, writeOutcomes } from './apply-shown.ts';

/** A fresh plan that does what the reviewed one does, or a part of it, and what the review showed. */
interface ExpectedPlan {
  readonly kind: 'same';
  readonly plan: Plan;
  readonly reviewed: readonly GuardFinding[];
}

/** Reads the whole reviewed plan, even if this run covers only a part of it. */
export function readReviewed({ context, flags }: ApplyCommand, file: string): Promise<Planned | EndedEarly> {
  const whole = { ...flags, target: undefined, changedSince: undefined, shard: undefined };
  return readSavedPlan(context, whole, file);
}

/** Compares a fresh plan with the reviewed one, and ends the command when the fresh plan does something else, or nothing. */
export async function expectReviewed(
  run: ApplyRun,
  { plan, safety }: { readonly plan: Plan; readonly safety: Safety },
  reviewed: Plan,
): Promise<ExpectedPlan | EndedEarly> {
  const isPart = isNarrowed(run.flags, run.paths);
  const own = isPart ? narrowed(reviewed, plan, run) : reviewed;
  const expected = expectPlan(own, plan);
  const partOf = (): Plan => guardReviewedPart(plan, reviewed, { safety, today: run.context.today });
  switch (expected.kind) {
    case 'same':
      return { kind: 'same', plan: partOf(), reviewed: expected.reviewed };
    case 'nothing-left':
      if (await hasOpen(run, plan)) {
        return { kind: 'same', plan, reviewed: [] };
      }
      await writeOutcomes(run, plan, { result: 'nothing-to-do' }, () =>
        nothingLeftText([...expected.untouched, ...(isPart ? [] : expected.unread)]),
      );
      return { kind: 'ended', code: EXIT.done };
    case 'part':
      return (await isRest(run, { ...expected, reviewed: own, fresh: plan }))
        ? { kind: 'same', plan: partOf(), reviewed: expected.reviewed }
        : {
            kind: 'ended',
            code: await refuseOther(run, { reviewed: own, fresh: plan }, expected.differences),
          };
    case 'other':
      return {
        kind: 'ended',
        code: await refuseOther(run, { reviewed: own, fresh: plan }, expected.differences),
      };
    default:
      return assertNever(expected);
  }
}

/** Maximum number of rulesets that a message names. */
const NAMED = 5;

/**
 * Returns the message that nothing is left to do. Live may equal the files without being what was reviewed: names the rulesets where that may be so.
 */
function nothingLeftText(unasked: readonly string[]): string {
  const equal = 'Nothing is left to do: live already equals the files.\n';
  const names = escapeText(someNames(unasked, NAMED));
  return unasked.length === 0
    ? equal
    : `${equal}The files no longer ask for what was reviewed in ${counted(unasked.length, 'ruleset')}, and this run did not write it: ${names}\n`;
}

/** Whether live shows as done what the fresh plan lacks of the reviewed one: then the fresh plan is the rest that an interrupted run left. */
async function isRest({ context, flags, paths }: ApplyRun, part: PartialApply): Promise<boolean> {
  const options = await serviceOf(context, flags, paths);
  const isDone = await startProgress(context, flags, (report) => isRestOf(part, options, report));
  if (isDone && flags.quiet !== true) {
    context.stderr.write(`${doneText(part.lacks.size, part.smaller.size)}; this is the rest.\n`);
  }
  return isDone;
}

function doneText(whole: number, inPart: number): string {
  const most = whole === 0 ? inPart : whole;
  const done = `${counted(most, 'ruleset of the reviewed plan is', 'rulesets of the reviewed plan are')} done`;
  return whole === 0 ? `${done} in part` : `${done} already${inPart === 0 ? '' : `, ${inPart} in part`}`;
}

/**
 * Refuses the plan, and reports how the plans differ, and what has become of reviewed steps whose rulesets changed live since. A step that live
 * shows as done is no difference, even though the fresh plan lacks it.
 */
async function refuseOther(
  run: ApplyRun,
  { reviewed, fresh }: { readonly reviewed: Plan; readonly fresh: Plan },
  differences: readonly PlanDifference[],
): Promise<ExitCode> {
  const options = await serviceOf(run.context, run.flags, run.paths);
  const outcomes = await startProgress(run.context, run.flags, (report) =>
    movedSince({ reviewed, fresh }, options, report),
  );
  const done = new Set(outcomes.filter(isAchieved).map(({ step }) => step));
  const left = differences.filter(({ kind, place }) => kind !== 'only-reviewed' || !done.has(place));
  await writeOutcomes(run, fresh, { result: 'refused', differences: left, outcomes }, (look) =>
    wholeText(differencesDocument(left, outcomes, look.detail), look),
  );
  run.context.stderr.write(
    'Refused: the plan is not the one that was reviewed. Nothing was written. To continue: plan again with --out, have that plan reviewed, and apply it\n',
  );
  return countFailed(fresh) > 0 ? EXIT.failed : EXIT.refused;
}

/** Returns the part of a reviewed plan that this run covers: other runs, such as the next wave or the other shards, handle the rest. */
function narrowed(reviewed: Plan, fresh: Plan, { flags, paths }: ApplyRun): Plan {
  const own = new Set(fresh.scopes.map(({ scope }) => scopeLabel(scope)));
  const scopes = reviewed.scopes.filter(({ scope }) => own.has(scopeLabel(scope)));
  // A phase or a file can be a part of a scope. For whole scopes, the files no longer ask for steps that the fresh plan lacks, which is reported.
  const isWithinScopes = paths.length > 0 || (flags.target ?? []).some(({ phase }) => phase !== null);
  if (!isWithinScopes) {
    return { ...reviewed, scopes };
  }
  const read = basesByPlace(fresh);
  const lists = new Set(objectSteps(fresh.scopes).map(({ id }) => id));
  return {
    ...reviewed,
    scopes: scopes.map((plan) => {
      if (plan.kind === 'failed') {
        return plan;
      }
      const { objects = [], ...rest } = plan;
      const own = objects.filter(({ id }) => lists.has(id));
      const steps = plan.steps.filter(({ target }) => read.has(placeOf(plan.scope, target)));
      return { ...rest, steps, ...(own.length === 0 ? {} : { objects: own }) };
    }),
  };
}
