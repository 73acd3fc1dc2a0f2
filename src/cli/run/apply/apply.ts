import type { Plan } from '../../../model/index.ts';
import type { ApplyRun, ApplyCommand } from '../apply-run.ts';
import type { CliContext } from '../../context.ts';
import type { ExitCode } from '../../exit-code.ts';
import { usage } from '../../../app/index.ts';
import type { EndedEarly } from '../ended.ts';
import type { Planned } from '../plan-files.ts';
import { planFiles } from '../plan-files.ts';
import { readGuardedPlan, savedPlanPath } from '../saved-plan.ts';
import { whileHolding } from '../holding.ts';
import type { ApplyFlags } from '../../flags/apply.ts';
import { endDone } from './done-already.ts';
import { seeToCrashed } from './bring-back.ts';
import { applyShown } from './apply-shown.ts';

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
  const run: ApplyRun = {
    ...command,
    crashed: seen.crashed,
    origin: saved === null ? 'fresh' : 'saved',
  };
  const planned =
    saved === null
      ? await planFiles(context, flags, { paths, warnings: 'count' })
      : await readGuardedPlan(context, flags, saved);
  if (planned.kind === 'ended') {
    return planned.code;
  }
  const { plan, safety } = planned;
  if (reviewed === null) {
    const ended = saved === null ? null : await endDone(run, plan);
    return ended ?? applyShown(run, plan);
  }
  const { expectReviewed } = await import('./expect-plan.ts');
  const expected = await expectReviewed(run, { plan, safety }, reviewed);
  return expected.kind === 'ended'
    ? expected.code
    : applyShown({ ...run, reviewed: expected.reviewed }, expected.plan);
}

/** Reads the reviewed plan that `--expect` names; null without the flag. */
async function readExpected(run: ApplyCommand): Promise<Planned | EndedEarly | null> {
  if (run.flags.expect === undefined) {
    return null;
  }
  const { readReviewed } = await import('./expect-plan.ts');
  return readReviewed(run, run.flags.expect);
}
