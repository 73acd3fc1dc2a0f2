import { assertNever } from '../../../model/assert-never.ts';
import { refusalsOf } from '../../../app/apply.ts';
import { journalPath } from '../../../app/run/journal-choice.ts';
import { endWithoutFiles, prepareStep } from '../../../app/waf/step.ts';
import type { Prepared } from '../../../app/waf/step.ts';
import { executeStep } from '../../../app/waf/execute-step.ts';
import { RulewrightError } from '../../../model/error.ts';
import type { Plan, PlannedScope } from '../../../model/plan.ts';
import type { ScopeRef } from '../../../model/scope.ts';
import { shellWord } from '../../../model/shell-word.ts';
import type { WafStep, WafStepResult } from '../../../model/waf-migration.ts';
import { MANAGED_PHASE } from '../../../model/waf-migration.ts';
import { guardRefusal } from '../../../report/allowing.ts';
import { escapeText } from '../../../report/escape.ts';
import { planText } from '../../../report/text/plan.ts';
import { stateWords, stepText } from '../../../report/text/waf.ts';
import type { CliContext } from '../../context.ts';
import type { ExitCode } from '../../exit-code.ts';
import { EXIT } from '../../exit-code.ts';
import { writeErrorJson } from '../../failure.ts';
import { startProgress } from '../../progress.ts';
import { stderrLook, writeResult } from '../../result.ts';
import { selectionOf, serviceOf, serviceOptions } from '../../service-choice.ts';
import type { LiveFlags } from '../../flags.ts';
import type { WriteFlags } from '../../write-flags.ts';
import { usage } from '../../../app/run/usage.ts';
import type { Question } from '../ask.ts';
import { ask } from '../ask.ts';
import type { Planned } from '../plan-files.ts';
import { planFiles } from '../plan-files.ts';
import { whileHolding } from '../holding.ts';
import { journalChoice, tellUnfinished } from '../unfinished.ts';
import { seeToCrashed } from '../apply/bring-back.ts';

/** Flags of every step. */
interface StepFlags extends LiveFlags, Pick<WriteFlags, 'allow' | 'dryRun' | 'journal'> {}

/** Flags of `waf validate`. */
export interface WafValidateFlags extends StepFlags, Pick<WriteFlags, 'yes'> {}

/** Flags of `waf finish`. */
export interface WafFinishFlags extends StepFlags {
  readonly confirm?: string | undefined;
}

/** `waf validate`. */
export function runWafValidate(
  context: CliContext,
  flags: WafValidateFlags,
  zone: ScopeRef,
): Promise<ExitCode> {
  return runStep({ context, flags, zone, step: 'validate' });
}

/** `waf finish`. */
export function runWafFinish(context: CliContext, flags: WafFinishFlags, zone: ScopeRef): Promise<ExitCode> {
  if (flags.confirm !== undefined && flags.confirm !== zone.name) {
    throw usage(`--confirm ${flags.confirm} is not the zone ${zone.name}`, 'both name the zone to migrate');
  }
  // The name of the zone is its yes.
  return runStep({ context, flags: { ...flags, yes: flags.confirm !== undefined }, zone, step: 'finish' });
}

interface StepRun {
  readonly context: CliContext;
  readonly flags: WafValidateFlags;
  readonly zone: ScopeRef;
  readonly step: WafStep;
}

function runStep(run: StepRun): Promise<ExitCode> {
  const { context, flags } = run;
  return whileHolding({ context, flags, paths: [] }, () => planAndTake(run));
}

/** Sees to an apply that crashed, plans, looks whether the step fits, shows, asks, takes the step. */
async function planAndTake(run: StepRun): Promise<ExitCode> {
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
    return finish(run, prepared.result);
  }
  const ready: Ready = { plan, scope, prepared };
  return prepared.kind === 'running' ? take(run, ready) : askAndTake(run, ready);
}

/** The files do not say the managed rules of the zone. */
const NO_RULES = 'no-rules';

/** The managed rules of one zone, files against live. */
async function planZone({ context, flags, zone }: StepRun): Promise<Planned | typeof NO_RULES> {
  try {
    const target = [{ kind: 'zone', name: zone.name, phase: MANAGED_PHASE } as const];
    return await planFiles(context, { ...flags, target, migrating: true }, []);
  } catch (error) {
    if (error instanceof RulewrightError && error.code === 'usage/unknown-target') {
      return NO_RULES;
    }
    throw error;
  }
}

/** A step that was taken before, or cannot be taken, needs no files; else they are what is missing. */
async function withoutFiles(run: StepRun): Promise<ExitCode> {
  const { context, flags, step, zone } = run;
  const selection = selectionOf(context, flags, []);
  const options = await serviceOptions(context, flags, selection);
  const result = await startProgress(context, flags, (report) =>
    endWithoutFiles({ step, zone, selection }, options, report),
  );
  if (result !== undefined) {
    return finish(run, result);
  }
  throw new RulewrightError(`the files do not declare the managed rules of ${zone.name}`, {
    code: 'waf/no-configuration',
    fault: 'user',
    hint: `rulewright waf config ${zone.name} --output FILE writes them for review`,
  });
}

/** A step that can be taken. */
interface Ready {
  readonly plan: Plan;
  readonly scope: PlannedScope;
  readonly prepared: Exclude<Prepared, { readonly kind: 'ended' }>;
}

/** Shows what will happen, asks, and takes the step. */
async function askAndTake(run: StepRun, ready: Ready): Promise<ExitCode> {
  const { context, flags, zone, step } = run;
  const { plan, prepared } = ready;
  const allowed = { kinds: flags.allow ?? [], reviewed: [] };
  context.stderr.write(planText(plan, { ...stderrLook(context, flags), allowed }));
  const { banner, ...question } = ASKING[step](zone.name);
  context.stderr.write(`${banner} State now: ${stateWords(prepared.before.state)}.\n`);
  const refusals = refusalsOf(plan, allowed.kinds);
  if (refusals.length > 0) {
    const outcome = { kind: 'refused', code: 'waf/guarded', ...guardRefusal(refusals) } as const;
    return notTaken(run, ready, { outcome, refusals });
  }
  const answer = await ask(context, flags, question);
  switch (answer.kind) {
    case 'yes':
      return take(run, ready);
    case 'dry-run':
      return notTaken(run, ready, { outcome: { kind: 'dry-run', message: 'nothing was written' } });
    case 'ended':
      return answer.code;
    default:
      return assertNever(answer);
  }
}

/** What is said of a step before it is taken, and what has to be typed for it. */
const ASKING: Readonly<Record<WafStep, (zone: string) => Question & { readonly banner: string }>> = {
  validate: (zone) => ({
    banner: `Validation mode for ${escapeText(zone)}: these rules run before the previous WAF. There is no way back to the previous WAF alone.`,
    question: 'Switch validation mode on? Type "yes" to confirm: ',
    act: 'validate',
  }),
  finish: (zone) => ({
    banner: `The end of the migration of ${escapeText(zone)}: these rules run, the previous WAF is switched off for good. THERE IS NO WAY BACK.`,
    question: 'Type the name of the zone to migrate it: ',
    act: 'finish',
    word: zone,
    instead: `--confirm ${shellWord(zone)}`,
  }),
};

/** Tells of a step that was not taken. */
function notTaken(
  run: StepRun,
  { scope: { scope }, prepared: { before } }: Ready,
  why: Pick<WafStepResult, 'outcome' | 'refusals'>,
): Promise<ExitCode> {
  return finish(run, { step: run.step, scope, before, after: before, snapshot: null, ...why });
}

async function take(run: StepRun, { plan, scope, prepared }: Ready): Promise<ExitCode> {
  const { context, flags, step } = run;
  const options = await serviceOf(context, flags, []);
  const place = await journalChoice(context, flags, []);
  const result = await startProgress(context, flags, (report) =>
    executeStep(
      { step, plan: scope },
      {
        options,
        folder: place.cwd,
        journal: journalPath(place),
        digest: plan.digest,
        before: prepared.before,
        mode: prepared.kind,
      },
      report,
    ),
  );
  return finish(run, result);
}

async function finish({ context, flags }: StepRun, result: WafStepResult): Promise<ExitCode> {
  await writeResult(context, flags, {
    text: (look) => stepText(result, look),
    json: () => ({ kind: 'waf-step', formatVersion: 1, ...result }),
  });
  return EXITS[result.outcome.kind];
}

const EXITS: Readonly<Record<WafStepResult['outcome']['kind'], ExitCode>> = {
  done: EXIT.done,
  'nothing-to-do': EXIT.done,
  'dry-run': EXIT.done,
  waiting: EXIT.partial,
  refused: EXIT.refused,
  failed: EXIT.failed,
  'in-doubt': EXIT.partial,
  wrong: EXIT.partial,
};
