import { usage, refusalsOf, journalPath } from '../../app/index.ts';
import { RulewrightError } from '../../model/index.ts';
import type { ScopeRef, Plan, PlannedScope } from '../../model/index.ts';
import { planDocument, guardRefusal, escapeText } from '../../report/index.ts';
import type { CliContext, ExitCode, EndedEarly, Planned, Question } from '../../cli/index.ts';
import {
  EXIT,
  writeErrorJson,
  startProgress,
  detailOf,
  tellDocument,
  writeResult,
  selectionOf,
  serviceOf,
  serviceOptions,
  planFiles,
  whileHolding,
  tellUnfinished,
  journalChoice,
  seeToCrashed,
  ask,
} from '../../cli/index.ts';
import { assertNever } from '../../data/index.ts';
import { shellWord } from '../../text/index.ts';
import { stateWords, stepDocument } from './waf-report.ts';
import { endWithoutFiles, prepareStep } from './waf-step.ts';
import { MANAGED_PHASE } from './waf-migration.ts';
import type { WafValidateFlags, WafFinishFlags } from '../legacy-flags.ts';
import { executeStep } from './execute-waf-step.ts';
import type { Prepared } from './waf-step.ts';
import type { WafStep, WafStepResult } from './waf-migration.ts';

/** A step of the migration, as it was typed. */
interface WafStepRun {
  readonly context: CliContext;
  readonly flags: WafValidateFlags;
  readonly zone: ScopeRef;
  readonly step: WafStep;
}

/** A step that can be taken. */
interface Ready {
  readonly plan: Plan;
  readonly scope: PlannedScope;
  readonly prepared: Exclude<Prepared, { readonly kind: 'ended' }>;
}

/** Shows what will happen, asks, and takes the step; a step that was taken before is only waited for. */
async function takeStep(run: WafStepRun, ready: Ready): Promise<ExitCode> {
  const { context, flags, zone, step } = run;
  const { plan, prepared } = ready;
  if (prepared.kind === 'running') {
    return carryOut(run, ready);
  }
  const allowed = { kinds: flags.allow ?? [], reviewed: [] };
  tellDocument(context, flags, planDocument(plan, { allowed, detail: detailOf(flags) }));
  const { banner, ...question } = ASKING[step](zone.name);
  context.stderr.write(`${banner} State now: ${stateWords(prepared.before.state)}.\n`);
  const refusals = refusalsOf(plan, allowed.kinds);
  if (refusals.length > 0) {
    const outcome = {
      kind: 'refused',
      code: 'waf/guarded',
      ...guardRefusal(refusals, allowed.kinds),
    } as const;
    return notTaken(run, ready, { outcome, refusals });
  }
  const answer = await ask(context, flags, question);
  switch (answer.kind) {
    case 'yes':
      return carryOut(run, ready);
    case 'dry-run':
      return notTaken(run, ready, { outcome: { kind: 'dry-run', message: 'nothing was written' } });
    case 'ended':
      return answer.code;
    default:
      return assertNever(answer);
  }
}

/** The warning before each step, and the question to be answered for it. */
const ASKING: Readonly<Record<WafStep, (zone: string) => Question & { readonly banner: string }>> = {
  validate: (zone) => ({
    banner: `Validation mode for ${escapeText(zone)}: these rules run before the previous WAF. There is no way back to the previous WAF alone.`,
    question: 'Switch validation mode on? Type "yes" to confirm: ',
    act: 'validate',
  }),
  finish: (zone) => ({
    banner: `The end of the migration of ${escapeText(zone)}: these rules run, the previous WAF is switched off permanently. THERE IS NO WAY BACK.`,
    question: 'Type the name of the zone to migrate it: ',
    act: 'finish',
    word: zone,
    instead: `--confirm ${shellWord(zone)}`,
  }),
};

/** Reports a step that was not taken. */
function notTaken(
  run: WafStepRun,
  { scope: { scope }, prepared: { before } }: Ready,
  why: Pick<WafStepResult, 'outcome' | 'refusals'>,
): Promise<ExitCode> {
  return endStep(run, { step: run.step, scope, before, after: before, snapshot: null, ...why });
}

async function carryOut(run: WafStepRun, { plan, scope, prepared }: Ready): Promise<ExitCode> {
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
  return endStep(run, result);
}

/** Reports the result of a step. */
async function endStep({ context, flags }: WafStepRun, result: WafStepResult): Promise<ExitCode> {
  await writeResult(context, flags, {
    document: () => stepDocument(result),
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
    tellDocument(context, flags, planDocument(plan, { allowed: { kinds: [] }, detail: detailOf(flags) }));
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
