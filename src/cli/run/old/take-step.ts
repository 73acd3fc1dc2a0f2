import { assertNever } from '../../../data/index.ts';
import { refusalsOf, journalPath, executeStep } from '../../../app/index.ts';
import type { Prepared } from '../../../app/index.ts';
import type { Plan, PlannedScope, ScopeRef, WafStep, WafStepResult } from '../../../model/index.ts';
import { shellWord } from '../../../text/index.ts';
import { guardRefusal, escapeText, planText, stateWords, stepText } from '../../../report/index.ts';
import type { CliContext } from '../../context.ts';
import type { ExitCode } from '../../exit-code.ts';
import { EXIT } from '../../exit-code.ts';
import { startProgress } from '../../progress.ts';
import { stderrLook, writeResult } from '../../result.ts';
import { serviceOf } from '../../service-choice.ts';
import type { Question } from '../ask.ts';
import { ask } from '../ask.ts';
import { journalChoice } from '../unfinished.ts';
import type { WafValidateFlags } from '../../flags/waf.ts';

/** A step of the migration, as it was typed. */
export interface WafStepRun {
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
export async function takeStep(run: WafStepRun, ready: Ready): Promise<ExitCode> {
  const { context, flags, zone, step } = run;
  const { plan, prepared } = ready;
  if (prepared.kind === 'running') {
    return carryOut(run, ready);
  }
  const allowed = { kinds: flags.allow ?? [], reviewed: [] };
  context.stderr.write(planText(plan, { ...stderrLook(context, flags), allowed }));
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
export async function endStep({ context, flags }: WafStepRun, result: WafStepResult): Promise<ExitCode> {
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
