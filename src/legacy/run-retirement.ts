import type { RunTime, ServiceOptions, UseCase, ZoneChoice } from '../app/index.ts';
import { refusedBy, escapeText, wholeText } from '../report/index.ts';
import type { ScopeRef } from '../model/index.ts';
import { counted } from '../text/index.ts';
import type { Look } from '../report/index.ts';
import type { CliContext, ExitCode, GuardedService } from '../cli/index.ts';
import {
  APPLY_EXIT,
  EXIT,
  writeErrorJson,
  startProgress,
  tellDocument,
  writeResult,
  allowWords,
  commandText,
  option,
  projectWords,
  serviceWords,
  ask,
  showInText,
  startGuarded,
  whileHoldingFile,
  journalChoice,
} from '../cli/index.ts';
import {
  retiredDocument,
  retirementDocument,
  retirementJson,
  unfinishedRetirementDocument,
} from './retirement-report.ts';
import type { RetirementDocument } from './retirement-report.ts';
import type { RetirementResult, RetirementPlan } from './retirement-plan.ts';
import type { RetireOptions } from './retire.ts';
import {
  retire,
  retireRefusals,
  retirementJournal,
  settleRetirement,
  unfinishedRetirement,
} from './retire.ts';
import type { RetireFlags } from './legacy-flags.ts';

/** One kind of retirement: how to plan it, and the command that repeats it. */
export interface Retirement {
  /** Returns the words of the command that repeats it for a zone. */
  readonly again: (zone: string) => readonly string[];
  readonly plan: UseCase<ZoneChoice, RetirementResult>;
  /** Returns the snapshot to store beside the journal, in the folder of the project. */
  readonly snapshot?: (folder: string, clock: RunTime['clock']) => RetireOptions['snapshot'];
}

/** One retirement: what was typed, and its plan. */
interface Run {
  readonly context: CliContext;
  readonly flags: RetireFlags;
  readonly zone: ScopeRef;
  readonly retirement: Retirement;
  readonly options: ServiceOptions;
  readonly plan: RetirementPlan;
  /** The folder of the project, and the path of the journal. */
  readonly place: { readonly cwd: string; readonly journal: string };
}

/** Plans which old objects can be deleted, shows the plan, asks, deletes them one by one, and reports what happened. */
export async function runRetirement(
  { context, flags, zone }: Pick<Run, 'context' | 'flags' | 'zone'>,
  retirement: Retirement,
): Promise<ExitCode> {
  const begun = await startGuarded(context, flags);
  if (begun.kind === 'ended') {
    return begun.code;
  }
  const chosen = await journalChoice(context, flags, []);
  const place = { cwd: chosen.cwd, journal: retirementJournal(chosen) };
  return whileHoldingFile({ context, flags, journal: place.journal }, () =>
    planAndRetire({ context, flags, zone, retirement, place }, begun),
  );
}

async function planAndRetire(
  { context, flags, zone, retirement, place }: Omit<Run, 'options' | 'plan'>,
  { options, guards }: GuardedService,
): Promise<ExitCode> {
  const made = await startProgress(context, flags, (report) =>
    retirement.plan({ zone, guards }, options, report),
  );
  if (made.kind === 'refused') {
    context.stderr.write(
      `Refused: ${escapeText(made.message)}. Nothing was deleted.\n  hint: ${escapeText(made.hint)}\n`,
    );
    await writeErrorJson(context, flags, made);
    return EXIT.refused;
  }
  const { plan } = made;
  return retireShown({ context, flags, zone, retirement, options, plan, place });
}

/** Shows the plan, and what an earlier run has left; asks, and carries the plan out. */
async function retireShown(run: Run): Promise<ExitCode> {
  const { context, flags, options, plan, place } = run;
  const unfinished = await unfinishedRetirement(place.journal, plan);
  if (unfinished !== null && flags.quiet !== true) {
    tellDocument(context, flags, unfinishedRetirementDocument(unfinished, plan));
  }
  const allowed = { kinds: flags.allow ?? [] };
  const about = (look: Look): string => wholeText(retirementDocument(plan, allowed, look.detail), look);
  showInText(context, flags, about);
  if (plan.steps.length === 0) {
    if (unfinished !== null && flags.dryRun !== true) {
      await settleRetirement(place.journal, unfinished, options);
    }
    return end(run, { result: 'nothing-to-do', outcomes: [], refusals: [] });
  }
  const refusals = retireRefusals(plan, allowed.kinds);
  if (refusals.length > 0) {
    context.stderr.write(refusedBy(refusals, allowed.kinds));
    return end(run, { result: 'refused', outcomes: [], refusals });
  }
  const answer = await ask(context, flags, {
    question: `Delete ${counted(plan.steps.length, 'old object')} of ${escapeText(plan.scope.name)} permanently? Type "yes" to confirm: `,
    act: 'delete',
    about,
  });
  return answer.kind === 'ended' ? answer.code : carryOut(run);
}

async function carryOut(run: Run): Promise<ExitCode> {
  const { context, flags, zone, retirement, options, plan, place } = run;
  const result = await startProgress(context, flags, (report) =>
    retire(
      {
        plan,
        service: options,
        dryRun: flags.dryRun === true,
        allow: flags.allow ?? [],
        journal: place.journal,
        snapshot: retirement.snapshot?.(place.cwd, options.clock),
      },
      report,
    ),
  );
  const { kind, ...ended } = result;
  const again = commandText([...retirement.again(zone.name), ...againWords(flags)]);
  return end(run, { ...ended, result: kind, refusals: [] }, again);
}

function againWords(flags: RetireFlags): readonly string[] {
  return [
    ...projectWords(flags),
    ...allowWords(flags.allow),
    ...option('--journal', flags.journal),
    ...serviceWords(flags),
  ];
}

async function end(
  { context, flags, plan }: Run,
  ended: Pick<RetirementDocument, 'result' | 'outcomes' | 'snapshot' | 'refusals'>,
  again?: string,
): Promise<ExitCode> {
  const { result, outcomes, snapshot } = ended;
  const dryRun = flags.dryRun === true;
  const whole = result === 'done' || result === 'nothing-to-do';
  if (!whole && result !== 'partial') {
    context.signal.throwIfAborted();
  }
  const next = whole ? null : (again ?? null);
  const retired = retiredDocument(plan, { outcomes, dryRun, snapshot, next });
  // The terminal shows the plan before.
  await writeResult(context, flags, {
    document: (detail) =>
      outcomes.length === 0 ? retirementDocument(plan, { kinds: flags.allow ?? [] }, detail) : retired,
    text: (look) => (outcomes.length === 0 ? '' : `\n${wholeText(retired, look)}`),
    json: () => retirementJson(plan, { dryRun, ...ended }),
  });
  return APPLY_EXIT[result];
}
