import { changesAnything } from '../../../model/scope-plans.ts';
import { apply, refusalsOf } from '../../../app/apply.ts';
import type { Report } from '../../../app/run/events.ts';
import type { ApplyResult } from '../../../app/run/results.ts';
import type { Plan } from '../../../model/plan.ts';
import { NO_PREFLIGHT } from '../../../model/preflight.ts';
import { refusedBy } from '../../../report/allowing.ts';
import { escapeText } from '../../../report/escape.ts';
import { outcomesText } from '../../../report/text/outcomes.ts';
import { planText } from '../../../report/text/plan.ts';
import { countFailed } from '../../../report/summary.ts';
import type { Look } from '../../../report/theme.ts';
import type { ApplyFlags, ApplyRun, Typed } from '../apply-run.ts';
import { cacheChoice } from '../../cache-choice.ts';
import type { CliContext } from '../../context.ts';
import type { ExitCode } from '../../exit-code.ts';
import { APPLY_EXIT, EXIT } from '../../exit-code.ts';
import { startProgress } from '../../progress.ts';
import { selectionOf, serviceOptions } from '../../service-choice.ts';
import { usage } from '../../../app/run/usage.ts';
import { rerunCommand } from '../rerun-command.ts';
import type { Planned } from '../plan-files.ts';
import { planFiles } from '../plan-files.ts';
import { readGuardedPlan, savedPlanPath } from '../saved-plan.ts';
import { ask, show } from '../ask.ts';
import { writeOutcomes } from './write-outcomes.ts';
import { endDone } from './done-already.ts';
import { journalChoice, settle, tellUnfinished } from '../unfinished.ts';
import { whileHolding } from '../holding.ts';
import { seeToCrashed } from './bring-back.ts';

/** Plans, or reads a saved plan; shows it; asks; carries it out; tells what happened. */
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
  const typed: Typed = { context, flags, paths: saved === null ? paths : [] };
  // Before anything is asked of the service: a file that is not there is no reason to plan hundreds of zones.
  const reviewed = await readExpected(typed);
  if (reviewed?.kind === 'ended') {
    return reviewed.code;
  }
  return whileHolding(typed, () => planAndApply(typed, { saved, reviewed: reviewed?.plan ?? null }));
}

/** The files of plans that were made before: the one to carry out, and the one that was reviewed. */
interface MadeBefore {
  readonly saved: string | null;
  readonly reviewed: Plan | null;
}

async function planAndApply(typed: Typed, { saved, reviewed }: MadeBefore): Promise<ExitCode> {
  const { context, flags, paths } = typed;
  const seen = await seeToCrashed(typed);
  if (seen.kind === 'ended') {
    return seen.code;
  }
  const run: ApplyRun = {
    ...typed,
    crashed: seen.crashed,
    origin: saved === null ? 'fresh' : 'saved',
  };
  const planned =
    saved === null
      ? await planFiles(context, { ...flags, warnings: 'count' }, paths)
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

/** The plan that somebody reviewed, if this run is to do what it shows. */
async function readExpected(run: Typed): Promise<Planned | null> {
  if (run.flags.expect === undefined) {
    return null;
  }
  const { readReviewed } = await import('./expect-plan.ts');
  return readReviewed(run, run.flags.expect);
}

/** Shows a plan, asks, carries it out, and tells what happened. */
export async function applyShown(run: ApplyRun, plan: Plan): Promise<ExitCode> {
  const { context, flags, reviewed = [] } = run;
  const allowed = { kinds: flags.allow ?? [], reviewed };
  const unfinished = run.crashed && (await tellUnfinished(run));
  const about = (look: Look): string => planText(plan, { ...look, allowed, against: run.against });
  show(context, flags, about);
  if (!changesAnything(plan)) {
    const kind = countFailed(plan) > 0 ? 'failed' : 'nothing-to-do';
    // What is left out is still to be done by a whole run; a saved plan may be older than the files, and of a part of them.
    const whole = run.again === undefined && run.origin === 'fresh' && flags.onlyStrengthening !== true;
    if (unfinished && kind === 'nothing-to-do' && whole) {
      await settle(run, plan);
    }
    return finish(run, plan, { kind, outcomes: [], preflight: NO_PREFLIGHT, rollback: null, requests: 0 });
  }
  const refusals = refusalsOf(plan, allowed.kinds, reviewed);
  if (refusals.length > 0) {
    context.stderr.write(refusedBy(refusals));
    await writeOutcomes(run, plan, { result: 'refused', refusals }, () => '');
    return countFailed(plan) > 0 ? EXIT.failed : EXIT.refused;
  }
  const answer = await ask(context, flags, {
    question: `Apply this plan to ${escapeText(plan.baseUrl)}? Type "yes" to confirm: `,
    act: 'apply',
    about,
  });
  return answer.kind === 'ended' ? answer.code : carryOut(run, plan);
}

async function carryOut(run: ApplyRun, plan: Plan): Promise<ExitCode> {
  const { context, flags, paths } = run;
  const selection = selectionOf(context, flags, paths);
  const service = {
    ...(await serviceOptions(context, flags, selection)),
    ...(await cacheChoice(context, flags, selection)),
  };
  const { journal, cwd } = await journalChoice(context, flags, paths);
  const result = await whileTelling(run, (report) =>
    apply(
      {
        plan,
        service,
        writes: flags.writes,
        origin: run.origin,
        dryRun: flags.dryRun === true,
        preflight: flags.preflight,
        onFailure: flags.onFailure,
        allow: flags.allow ?? [],
        reviewed: run.reviewed ?? [],
        journal,
        cwd,
      },
      report,
    ),
  );
  return finish(run, plan, result);
}

/** Shows progress, and answers an interruption at once: what is being written may take its time. */
async function whileTelling<Result>(
  { context, flags }: ApplyRun,
  work: (report: Report) => Promise<Result>,
): Promise<Result> {
  const told = (): void =>
    context.stderr.write(
      `${context.stderr.isTTY ? '\n' : ''}Interrupted: finishing the current write, then stopping. Interrupt again to stop now, without knowing what it did.\n`,
    );
  context.signal.addEventListener('abort', told, { once: true });
  try {
    return await startProgress(context, flags, work);
  } finally {
    context.signal.removeEventListener('abort', told);
  }
}

async function finish(run: ApplyRun, plan: Plan, result: ApplyResult): Promise<ExitCode> {
  const { context, flags, paths, again } = run;
  const { kind, outcomes, preflight, rollback } = result;
  const dryRun = flags.dryRun === true;
  const unfinished = kind !== 'done' && kind !== 'nothing-to-do';
  const next = unfinished && outcomes.length > 0 ? (again ?? rerunCommand(flags, paths, outcomes)) : null;
  const wrote = !dryRun && (kind === 'done' || kind === 'partial');
  const afterwards = wrote && run.afterwards !== undefined ? `\n${run.afterwards}\n` : '';
  await writeOutcomes(run, plan, { result: kind, outcomes, preflight, rollback }, (look, document) =>
    outcomes.length === 0 ? '' : `\n${outcomesText({ ...document, next }, look)}${afterwards}`,
  );
  if (unfinished && kind !== 'partial') {
    context.signal.throwIfAborted();
  }
  return APPLY_EXIT[kind];
}
