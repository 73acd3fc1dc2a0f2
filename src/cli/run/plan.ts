import type { AllowableKind, Plan, Preflight } from '../../model/index.ts';
import { changesAnything, refusedKinds } from '../../model/index.ts';
import { preflightPlan, removeOutput, writeOutput, requireDigests } from '../../app/index.ts';
import {
  checkedPlanDocument,
  jsonPieces,
  inTurn,
  planPieces,
  preflightText,
  countFailed,
  isIncomplete,
} from '../../report/index.ts';
import { counted } from '../../text/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { readingExit } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { planRenderings } from '../renderings.ts';
import { tell, writeResult } from '../result.ts';
import { selectionOf, serviceOf } from '../service-choice.ts';
import type { PlanFlags } from '../flags/plan.ts';
import { carryOutCommand } from './rerun-command.ts';
import { planFiles } from './plan-files.ts';
import { planReverse } from './plan-reverse.ts';

/** Shows the plan, and saves it to the file that `--out` names. */
export async function runPlan(
  context: CliContext,
  flags: PlanFlags,
  ...paths: readonly string[]
): Promise<ExitCode> {
  const { cwd } = context;
  const out = flags.out === undefined ? null : { cwd, path: flags.out, config: flags.config };
  if (out !== null) {
    await removeOutput(out);
  }
  const planned =
    flags.reverse === undefined
      ? await planFiles(context, flags, { paths, purpose: { kind: out === null ? 'plan' : 'save' } })
      : await planReverse(context, flags, { file: flags.reverse, paths });
  if (planned.kind === 'ended') {
    return planned.code;
  }
  const { plan } = planned;
  if (out !== null) {
    requireDigests(plan.scopes);
    await writeOutput(out, jsonPieces(plan));
  }
  // A reversal is carried out from its saved plan: `apply --expect` plans from the files.
  const [moment, against] =
    flags.reverse === undefined
      ? (['review', {}] as const)
      : (['run', { against: 'what it was before the plan', allowed: { kinds: [] } }] as const);
  const preflight = flags.preflight === true ? await checkWrites(context, flags, { plan, paths }) : null;
  if (preflight?.steps.some(({ kind }) => kind === 'wrote') !== true) {
    context.signal.throwIfAborted();
  }
  await writeResult(context, flags, {
    text: (look) =>
      inTurn(
        planPieces(plan, { ...look, ...against }),
        preflight === null ? [] : [`\n${preflightText(preflight, look)}`],
      ),
    json: () => (preflight === null ? plan : checkedPlanDocument(plan, preflight)),
    ...planRenderings(plan, selectionOf(context, flags, paths), { env: context.env, preflight, moment }),
  });
  if (out !== null) {
    tell(
      context,
      flags,
      savedText(plan, (allow) => carryOutCommand({ ...flags, allow }, out.path)),
    );
  }
  const different = flags.exitCode === true && changesAnything(plan);
  const refused = preflight?.steps.some(({ kind }) => kind !== 'passed' && kind !== 'not-checked') === true;
  return readingExit({ failed: isIncomplete(plan) || refused, different });
}

/** Says how a saved plan is carried out; with what guards refuse until somebody allows it, which the run would say only then. */
function savedText(plan: Plan, carryOut: (allow: readonly AllowableKind[]) => string): string {
  const lacking = countFailed(plan);
  const refused = refusedKinds(plan);
  if (lacking > 0) {
    const kinds = [...new Set<AllowableKind>(['incomplete', ...refused])];
    return `saved a plan that lacks ${lacking} of ${counted(plan.scopes.length, 'scope')}; apply refuses it. To carry out the others: ${carryOut(kinds)}`;
  }
  return refused.length === 0
    ? `saved the plan; to carry it out: ${carryOut([])}`
    : `saved the plan; apply refuses what its guards found until it is allowed: ${carryOut(refused)}`;
}

interface PlanWithPaths {
  readonly plan: Plan;
  readonly paths: readonly string[];
}

/** Has the service check the writes of a plan; null when there are none. */
async function checkWrites(
  context: CliContext,
  flags: PlanFlags,
  { plan, paths }: PlanWithPaths,
): Promise<Preflight | null> {
  if (!changesAnything(plan)) {
    return null;
  }
  const service = await serviceOf(context, flags, paths);
  return startProgress(context, flags, (report) => preflightPlan({ plan, service, writes: 'auto' }, report));
}
