import { endWithoutFiles, prepareStep, usage } from '../../../app/index.ts';
import { RulewrightError, MANAGED_PHASE } from '../../../model/index.ts';
import type { ScopeRef } from '../../../model/index.ts';
import { planText } from '../../../report/index.ts';
import type { CliContext } from '../../context.ts';
import type { ExitCode } from '../../exit-code.ts';
import { EXIT } from '../../exit-code.ts';
import { writeErrorJson } from '../../failure.ts';
import { startProgress } from '../../progress.ts';
import { stderrLook } from '../../result.ts';
import { selectionOf, serviceOf, serviceOptions } from '../../service-choice.ts';
import type { EndedEarly } from '../ended.ts';
import type { Planned } from '../plan-files.ts';
import { planFiles } from '../plan-files.ts';
import { whileHolding } from '../holding.ts';
import { tellUnfinished } from '../unfinished.ts';
import { seeToCrashed } from '../apply/bring-back.ts';
import type { WafValidateFlags, WafFinishFlags } from '../../flags/waf.ts';
import type { WafStepRun } from './take-step.ts';
import { endStep, takeStep } from './take-step.ts';

/** Runs `waf validate`. */
export function runWafValidate(
  context: CliContext,
  flags: WafValidateFlags,
  zone: ScopeRef,
): Promise<ExitCode> {
  return runStep({ context, flags, zone, step: 'validate' });
}

/** Runs `waf finish`. */
export function runWafFinish(context: CliContext, flags: WafFinishFlags, zone: ScopeRef): Promise<ExitCode> {
  if (flags.confirm !== undefined && flags.confirm !== zone.name) {
    throw usage(`--confirm ${flags.confirm} is not the zone ${zone.name}`, 'both name the zone to migrate');
  }
  // Naming the zone counts as a yes.
  return runStep({ context, flags: { ...flags, yes: flags.confirm !== undefined }, zone, step: 'finish' });
}

function runStep(run: WafStepRun): Promise<ExitCode> {
  const { context, flags } = run;
  return whileHolding({ context, flags, paths: [] }, () => planAndTake(run));
}

/** Handles an apply that crashed, plans, checks that the step can be taken, shows the plan, asks, and takes the step. */
async function planAndTake(run: WafStepRun): Promise<ExitCode> {
  const { context, flags, step } = run;
  const journaling = { context, flags, paths: [] };
  const seen = await seeToCrashed(journaling);
  if (seen.kind === 'ended') {
    return seen.code;
  }
  if (seen.crashed) {
    await tellUnfinished(journaling);
  }
  const planned = await planZone(run);
  if (planned === NO_RULES) {
    return withoutFiles(run);
  }
  if (planned.kind === 'ended') {
    return planned.code;
  }
  const { plan } = planned;
  const [scope] = plan.scopes;
  if (scope?.kind !== 'planned') {
    if (scope !== undefined) {
      await writeErrorJson(context, flags, scope.error);
    }
    context.stderr.write(planText(plan, { ...stderrLook(context, flags), allowed: { kinds: [] } }));
    return EXIT.failed;
  }
  const options = await serviceOf(context, flags, []);
  const prepared = await startProgress(context, flags, (report) =>
    prepareStep({ step, plan: scope }, options, report),
  );
  context.signal.throwIfAborted();
  if (prepared.kind === 'ended') {
    return endStep(run, prepared.result);
  }
  return takeStep(run, { plan, scope, prepared });
}

/** Stands for a plan when the files do not declare the managed rules of the zone. */
const NO_RULES = 'no-rules';

/** Plans the managed rules of one zone. */
async function planZone({
  context,
  flags,
  zone,
}: WafStepRun): Promise<Planned | EndedEarly | typeof NO_RULES> {
  try {
    const target = [{ kind: 'zone', name: zone.name, phase: MANAGED_PHASE } as const];
    return await planFiles(context, { ...flags, target }, { paths: [], purpose: { kind: 'migration' } });
  } catch (error) {
    if (error instanceof RulewrightError && error.code === 'usage/unknown-target') {
      return NO_RULES;
    }
    throw error;
  }
}

/**
 * Ends a step for a zone whose managed rules are not in the files: a step that was taken before, or cannot be taken, does not need them; else throws.
 */
async function withoutFiles(run: WafStepRun): Promise<ExitCode> {
  const { context, flags, step, zone } = run;
  const selection = selectionOf(context, flags, []);
  const options = await serviceOptions(context, flags, selection);
  const result = await startProgress(context, flags, (report) =>
    endWithoutFiles({ step, zone, selection }, options, report),
  );
  if (result !== undefined) {
    return endStep(run, result);
  }
  throw new RulewrightError(`the files do not declare the managed rules of ${zone.name}`, {
    code: 'waf/no-configuration',
    fault: 'user',
    hint: `rulewright waf config ${zone.name} --output FILE writes them for review`,
  });
}
