import { expectReviewed, readReviewed } from '../run/apply/expect-plan.ts';
import { expectDrift } from '../run/apply/expect-drift.ts';
import { guardByClock, isDone } from '../../app/index.ts';
import { paths } from '../arguments.ts';
import { command } from '../command.ts';
import { allowText } from '../write-flags.ts';
import { APPLY_FLAGS } from '../run/apply-run.ts';
import type { Plan } from '../../model/index.ts';
import type { ApplyRun, ApplyCommand, ApplyFlags } from '../run/apply-run.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { usage, refusalsOf } from '../../app/index.ts';
import type { EndedEarly } from '../run/report-findings.ts';
import type { Planned } from '../run/plan-files.ts';
import { planFiles } from '../run/plan-files.ts';
import { readGuardedPlan, savedPlanPath } from '../run/saved-plan.ts';
import { whileHolding } from '../run/holding.ts';
import { finishGoingBack } from '../run/apply/finish-going-back.ts';
import { seeToCrashed } from '../run/apply/restore-edits.ts';
import { applyShown, hasOpen, writeOutcomes } from '../run/apply/apply-shown.ts';
import { countFailed, isIncomplete } from '../../report/index.ts';
import { EXIT } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { serviceOf } from '../service-choice.ts';

/**
 * Ends the command when guards would refuse a saved plan that was carried out before, for example by the shards whose plans it merges: then there is
 * nothing to refuse. Null for all other plans, including one that lacks scopes, which cannot show that.
 */
async function endDone(run: ApplyCommand, plan: Plan): Promise<ExitCode | null> {
  const { context, flags, paths } = run;
  const isWhole = countFailed(plan) === 0 && !isIncomplete(plan);
  if (!isWhole || refusalsOf(plan, flags.allow ?? []).length === 0 || (await hasOpen(run, plan))) {
    return null;
  }
  const options = await serviceOf(context, flags, paths);
  if (!(await startProgress(context, flags, (report) => isDone(plan, options, report)))) {
    return null;
  }
  await writeOutcomes(run, plan, { result: 'nothing-to-do' }, () => NOTHING_LEFT);
  return EXIT.done;
}

const NOTHING_LEFT = 'Nothing is left to do: live already matches this plan.\n';

/** Plans, or reads a saved plan; shows it, asks, carries it out, and reports what happened. */
export async function runApply(
  context: CliContext,
  flags: ApplyFlags,
  ...paths: readonly string[]
): Promise<ExitCode> {
  const saved = await savedPlanPath(context, paths);
  if (flags.onlyStrengthening === true && (saved !== null || flags.expect !== undefined)) {
    throw usage(
      '--only-strengthening makes a new plan and does a part of it',
      saved === null ? 'leave --expect out' : 'leave out the saved plan',
    );
  }
  if (flags.expectDrift !== undefined && (saved !== null || flags.expect !== undefined)) {
    throw usage(
      '--expect-drift compares live anew with the files',
      saved === null ? 'leave --expect out' : 'leave out the saved plan',
    );
  }
  if (flags.wave !== undefined && flags.untilWave !== undefined) {
    throw usage('--wave is about one wave, --until-wave about all up to one', 'leave one of them out');
  }
  if (flags.unmanaged === true && flags.expectDrift === undefined) {
    throw usage('--unmanaged is for --expect-drift', 'leave it out: what no file declares is never written');
  }
  const command: ApplyCommand = { context, flags, paths: saved === null ? paths : [] };
  // Before anything is asked of the service: a missing file should not cost the planning of hundreds of zones.
  const reviewed = await readExpected(command);
  if (reviewed?.kind === 'ended') {
    return reviewed.code;
  }
  return whileHolding(command, () => planAndApply(command, { saved, reviewed: reviewed?.plan ?? null }));
}

/** Plans that were made before: the file of the one to carry out, and the one that was reviewed. */
interface MadeBefore {
  readonly saved: string | null;
  readonly reviewed: Plan | null;
}

async function planAndApply(command: ApplyCommand, { saved, reviewed }: MadeBefore): Promise<ExitCode> {
  const { context, flags, paths } = command;
  const seen = await seeToCrashed(command);
  if (seen.kind === 'ended') {
    return seen.code;
  }
  const back = await finishGoingBack(command);
  if (back !== null) {
    return back.code;
  }
  const run: ApplyRun = {
    ...command,
    crashed: seen.crashed,
    origin: saved === null ? 'fresh' : 'saved',
    saved: saved ?? undefined,
  };
  const planned =
    saved === null
      ? await planFiles(context, flags, { paths, warnings: 'count' })
      : await readGuardedPlan(context, flags, saved);
  if (planned.kind === 'ended') {
    return planned.code;
  }
  const { plan, safety } = planned;
  const { clock, today } = context;
  const byClock = (one: Plan): Plan => guardByClock(one, { safety, today, now: clock.now() });
  if (flags.expectDrift !== undefined) {
    const shown = { digest: flags.expectDrift, unmanaged: flags.unmanaged === true };
    const other = await expectDrift(run, plan, shown);
    if (other !== null) {
      return other.code;
    }
  }
  if (reviewed === null) {
    const ended = saved === null ? null : await endDone(run, plan);
    return ended ?? applyShown(run, byClock(plan));
  }
  const expected = await expectReviewed(run, { plan, safety }, reviewed);
  return expected.kind === 'ended'
    ? expected.code
    : applyShown({ ...run, reviewed: expected.reviewed }, byClock(expected.plan));
}

/** Reads the reviewed plan that `--expect` names; null without the flag. */
async function readExpected(run: ApplyCommand): Promise<Planned | EndedEarly | null> {
  if (run.flags.expect === undefined) {
    return null;
  }
  return readReviewed(run, run.flags.expect);
}

/** `rulewright apply`. */
export const applyCommand = command({
  run: runApply,
  observed: 'apply',
  ofProject: true,
  text: `Makes a new plan and carries it out, or carries out a saved plan. Asks before it
writes. Exit code 3: refused or not confirmed; 4: only a part was written. With
--only-strengthening, 0 even if something was left out.

${allowText([])}`,
  examples: [
    ['rulewright apply', 'plan, ask, write'],
    ['rulewright apply plan.json --yes', 'carry out a saved plan'],
    ['rulewright apply --expect plan.json', 'only what this reviewed plan shows'],
    ['rulewright apply --expect-drift DIGEST', 'put back what drift showed'],
    ['rulewright apply --dry-run', 'check everything, write nothing'],
    ['rulewright apply --yes --until-wave 1', 'write the first wave, wait, judge it'],
    ['rulewright apply --yes --only-strengthening', 'undo drift, weaken nothing'],
    ['rulewright apply --yes --allow deleted', 'allow what one guard refuses'],
  ],
  flags: APPLY_FLAGS,
  positional: paths('PATH', 'Project folder or files, or one plan saved by plan --out'),
});
