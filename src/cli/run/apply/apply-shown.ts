import { changesAnything, NO_PREFLIGHT, serviceName } from '../../../model/index.ts';
import { apply, hasOpenWave, refusalsOf } from '../../../app/index.ts';
import type { OnEvent, ApplyResult } from '../../../app/index.ts';
import type { Plan, OutcomesDocument, WaveChoice } from '../../../model/index.ts';
import {
  countFailed,
  escapeText,
  outcomesDocument,
  outcomesJson,
  planDocument,
  refusedBy,
  wholeText,
} from '../../../report/index.ts';
import type { Look } from '../../../report/index.ts';
import type { ApplyRun, ApplyCommand, ApplyFlags } from '../apply-run.ts';
import { readingChoice } from '../../cache-choice.ts';
import type { ExitCode } from '../../exit-code.ts';
import { APPLY_EXIT, EXIT } from '../../exit-code.ts';
import { startProgress } from '../../progress.ts';
import { selectionOf, serviceOptions } from '../../service-choice.ts';
import { rerunCommand, waveCommand } from '../rerun-command.ts';
import { ask, showInText } from '../ask.ts';
import { journalChoice, settle, tellNotPutBack, tellUnfinished } from '../journal-of-run.ts';
import { outcomesRenderings } from '../../renderings.ts';
import { tell, writeResult } from '../../result.ts';

/** How an apply ended; parts that are left out did not happen. */
export type ApplyEnd = Pick<Parameters<typeof outcomesJson>[1], 'result'> &
  Partial<Omit<Parameters<typeof outcomesJson>[1], 'dryRun'>>;

/** Writes how an apply ended, in the formats that are wanted. */
export async function writeOutcomes(
  { context, flags, paths, act }: ApplyCommand,
  plan: Plan,
  ended: ApplyEnd,
  text: (look: Look, document: OutcomesDocument) => string,
): Promise<void> {
  const document = outcomesJson(plan, {
    outcomes: [],
    refusals: [],
    ...ended,
    dryRun: flags.dryRun === true,
  });
  await writeResult(context, flags, {
    text: (look) => text(look, document),
    json: () => document,
    ...outcomesRenderings(plan, document, { selection: selectionOf(context, flags, paths), act }),
  });
}

/** Shows a plan, asks, carries it out, and reports what happened. */
export async function applyShown(run: ApplyRun, plan: Plan): Promise<ExitCode> {
  const { context, flags, reviewed = [] } = run;
  const allowed = { kinds: flags.allow ?? [], reviewed };
  const unfinished = run.crashed && (await tellUnfinished(run));
  if (!run.crashed && run.act !== 'rollback') {
    await tellNotPutBack(run);
  }
  const isOpen = await hasOpen(run, plan);
  const about = (look: Look): string =>
    wholeText(planDocument(plan, { allowed, against: run.against, detail: look.detail }), look);
  showInText(context, flags, about);
  if (!changesAnything(plan) && !isOpen) {
    const kind = countFailed(plan) > 0 ? 'failed' : 'nothing-to-do';
    // Only a complete fresh plan settles the crashed run: a saved plan may be older than the files, or cover only a part of them.
    const whole = run.again === undefined && run.origin === 'fresh' && flags.onlyStrengthening !== true;
    if (unfinished && kind === 'nothing-to-do' && whole) {
      await settle(run, plan);
    }
    return finish(run, plan, { kind, outcomes: [], preflight: NO_PREFLIGHT, rollback: null, requests: 0 });
  }
  const refusals = refusalsOf(plan, allowed.kinds, reviewed);
  if (refusals.length > 0) {
    context.stderr.write(refusedBy(refusals, allowed.kinds));
    await writeOutcomes(run, plan, { result: 'refused', refusals }, () => '');
    return countFailed(plan) > 0 ? EXIT.failed : EXIT.refused;
  }
  if (!changesAnything(plan)) {
    return carryOut(run, plan);
  }
  const answer = await ask(context, flags, {
    question: `Apply this plan to ${escapeText(serviceName(plan.baseUrl))}? Type "yes" to confirm: `,
    act: 'apply',
    about,
  });
  return answer.kind === 'ended' ? answer.code : carryOut(run, plan);
}

/** Whether an earlier run has left a wave that is still to be judged. A dry run judges none. */
export async function hasOpen({ context, flags, paths }: ApplyCommand, plan: Plan): Promise<boolean> {
  return (
    flags.dryRun !== true &&
    hasOpenWave({ plan, waves: waveChoice(flags), ...(await journalChoice(context, flags, paths)) })
  );
}

/** Returns the waves that a command line is about. */
function waveChoice({ wave, untilWave }: ApplyFlags): WaveChoice {
  return wave !== undefined
    ? { kind: 'only', wave }
    : untilWave === undefined
      ? { kind: 'all' }
      : { kind: 'until', wave: untilWave };
}

async function carryOut(run: ApplyRun, plan: Plan): Promise<ExitCode> {
  const { context, flags, paths } = run;
  const selection = selectionOf(context, flags, paths);
  const options = await serviceOptions(context, flags, selection);
  const service = {
    ...options,
    secrets: { ...options.secrets, known: [...options.secrets.known, ...(run.former ?? [])] },
    ...(await readingChoice(context, flags, selection)),
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
        waves: waveChoice(flags),
        probeHosts: flags.allowProbeHost,
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

/** Shows progress, and answers an interruption at once, since the current write may take its time. */
async function whileTelling<Result>(
  { context, flags }: ApplyRun,
  work: (report: OnEvent) => Promise<Result>,
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
  const { kind, outcomes, preflight, rollback, waves, firstWave } = result;
  const dryRun = flags.dryRun === true;
  const unfinished = kind !== 'done' && kind !== 'nothing-to-do';
  if (unfinished && kind !== 'partial') {
    context.signal.throwIfAborted();
  }
  const isToLook =
    rollback !== null || kind === 'refused' || (waves ?? []).some(({ state }) => state === 'changed');
  const next =
    firstWave !== undefined
      ? waveCommand(flags, run.saved === undefined ? paths : [run.saved], firstWave)
      : unfinished && outcomes.length > 0
        ? (again ?? rerunCommand(flags, paths, outcomes, isToLook))
        : null;
  const wrote = !dryRun && (kind === 'done' || kind === 'partial');
  const afterwards = wrote && run.afterwards !== undefined ? run.afterwards : null;
  await writeOutcomes(run, plan, { result: kind, outcomes, preflight, rollback, waves }, (look, document) =>
    outcomes.length === 0 && (waves ?? []).length === 0
      ? ''
      : `\n${wholeText(outcomesDocument(document, { next, detail: look.detail, isPlanShown: true }), look)}${afterwards === null ? '' : `\n${afterwards}\n`}`,
  );
  if (flags.format !== 'text' && afterwards !== null) {
    tell(context, flags, afterwards);
  }
  return APPLY_EXIT[kind];
}
