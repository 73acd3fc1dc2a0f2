import { basesByPlace, placeOf } from '../../../app/index.ts';
import { canonicalJson } from '../../../data/index.ts';
import { changesAnything, objectSteps, plannedScopes } from '../../../model/index.ts';
import type { Plan } from '../../../model/index.ts';
import { countFailed, isIncomplete } from '../../../report/index.ts';
import type { CliContext } from '../../context.ts';
import type { ExitCode } from '../../exit-code.ts';
import { EXIT } from '../../exit-code.ts';
import type { ApplyRun } from '../apply-run.ts';
import { planFiles } from '../plan-files.ts';
import type { EndedEarly } from '../report-findings.ts';
import { writeOutcomes } from './apply-shown.ts';

/** A drift that a person was shown: what `drift` printed of it. */
export interface ShownDrift {
  readonly digest: string;
  /** Whether it had what no file declares too; this is shown, and never written. */
  readonly unmanaged: boolean;
}

/**
 * Compares live anew and ends the command unless that gives the drift that was shown. What is found then is what `plan` puts back: with
 * `unmanaged` the drift is more than the plan, so that the plan has to have been made from the same versions.
 */
export async function expectDrift(
  run: ApplyRun,
  plan: Plan,
  { digest, unmanaged }: ShownDrift,
): Promise<EndedEarly | null> {
  if (!unmanaged) {
    return plan.digest === digest ? null : { kind: 'ended', code: await refuseDrift(run, plan, plan) };
  }
  const { context, flags, paths } = run;
  const purpose = { kind: 'drift', unmanaged } as const;
  const seen = await planFiles(context, flags, { paths, purpose, warnings: 'count' });
  if (seen.kind === 'ended') {
    return seen;
  }
  return seen.plan.digest === digest && isMadeFrom(plan, seen.plan)
    ? null
    : { kind: 'ended', code: await refuseDrift(run, plan, seen.plan) };
}

/** Whether every step of a plan was made from a version that the drift was, too. Lists and settings have no versions: their steps are the same. */
function isMadeFrom(plan: Plan, drift: Plan): boolean {
  const bases = basesByPlace(drift);
  const objects = new Set(objectSteps(drift.scopes).map((step) => canonicalJson(step)));
  return (
    objectSteps(plan.scopes).every((step) => objects.has(canonicalJson(step))) &&
    plannedScopes(plan.scopes).every(({ scope, steps }) =>
      steps.every(({ target, base }) => bases.get(placeOf(scope, target)) === canonicalJson(base)),
    )
  );
}

async function refuseDrift(run: ApplyRun, plan: Plan, drift: Plan): Promise<ExitCode> {
  await writeOutcomes(run, plan, { result: 'refused' }, () => '');
  return tellOther(run.context, drift);
}

/** Says that the drift is another one than the one that was shown, or gone, and nothing was written; returns the exit code. */
export function tellOther({ stderr }: CliContext, drift: Plan): ExitCode {
  const isGone = !changesAnything(drift) && !isIncomplete(drift) && countFailed(drift) === 0;
  stderr.write(
    isGone
      ? 'Refused: there is no drift any more, live equals the files. Nothing was written, and nothing is left to do\n'
      : `Refused: the drift is not the one that was shown; its digest is ${drift.digest} now. Nothing was written. To continue: look at what drift shows now, and give the digest of that\n`,
  );
  return countFailed(drift) > 0 ? EXIT.failed : EXIT.refused;
}
