import type { RestoredEdits } from '../../../app/index.ts';
import { restoreOverwrittenEdits, readOverwrittenEdits, crashedRun, awaitSent } from '../../../app/index.ts';
import { assertNever } from '../../../data/index.ts';
import { describedName, RulewrightError } from '../../../model/index.ts';
import { errorReport, restoredEditsDocument, lostRulesDocument } from '../../../report/index.ts';
import type { CliContext } from '../../context.ts';
import type { ExitCode } from '../../exit-code.ts';
import { EXIT } from '../../exit-code.ts';
import { writeErrorJson } from '../../report-failure.ts';
import { startProgress } from '../../progress.ts';
import { tell } from '../../result.ts';
import { tellDocument } from '../../tell-document.ts';
import { serviceOf } from '../../service-choice.ts';
import { ask } from '../ask.ts';
import type { EndedEarly } from '../report-findings.ts';
import type { JournalFlags, Journaling } from '../journal-of-run.ts';
import { journalChoice, tellWaiting } from '../journal-of-run.ts';

/** Whether an earlier apply crashed; what it left has been handled. */
interface CrashHandled {
  readonly kind: 'ready';
  readonly crashed: boolean;
}

/** Handles what an earlier apply that crashed has left. Comes before planning, since a plan knows nothing of it. */
export async function seeToCrashed(run: Journaling): Promise<CrashHandled | EndedEarly> {
  const choice = await journalChoice(run.context, run.flags, run.paths);
  const crashed = await crashedRun(choice);
  if (crashed === null) {
    return { kind: 'ready', crashed: false };
  }
  const service = await serviceOf(run.context, run.flags, run.paths);
  const { context, flags } = run;
  const taken = await startProgress(context, flags, async (report) => {
    // A dry run writes nothing, so it waits for nothing.
    if (flags.dryRun !== true) {
      await awaitSent(crashed, service, { report, onWait: (ms) => tellWaiting(run, ms) });
    }
    return readOverwrittenEdits(crashed, service, report);
  });
  const code = await restoreEditsFirst(run, taken, () =>
    startProgress(context, flags, (report) => restoreOverwrittenEdits(choice, service, report)),
  );
  return code === null ? { kind: 'ready', crashed: true } : { kind: 'ended', code };
}

/**
 * Brings back rules of others that the crashed apply removed or reverted. Comes before planning, since the run that follows has its own place in the
 * journal, and a plan shows rules of others only where they exist. Null: the command goes on.
 */
async function restoreEditsFirst(
  { context, flags }: Journaling,
  taken: RestoredEdits['left'],
  bringBack: () => Promise<RestoredEdits>,
): Promise<ExitCode | null> {
  if (taken.length === 0) {
    return null;
  }
  const told = taken.map(({ recorded: { step }, message, hint, ...one }) => ({
    step,
    rules: one.kind === 'missing' ? one.rules : [],
    message,
    hint,
  }));
  tellDocument(context, flags, lostRulesDocument(told));
  if (taken.every(({ kind }) => kind === 'unknown')) {
    return null;
  }
  const answer = await ask(context, flags, {
    question: 'Bring these rules of others back first? Type "yes" to confirm: ',
    act: 'bringBack',
    instead: 'rulewright apply --yes',
  });
  switch (answer.kind) {
    case 'yes':
      return end(context, flags, await bringBack());
    case 'dry-run':
      tell(context, flags, 'An apply brings them back before it does anything else.');
      return null;
    case 'ended':
      return answer.code;
    default:
      return assertNever(answer);
  }
}

async function end(
  context: CliContext,
  flags: JournalFlags,
  { outcomes, left }: RestoredEdits,
): Promise<ExitCode | null> {
  const back = outcomes.flatMap((outcome) =>
    'broughtBack' in outcome && outcome.broughtBack.length > 0
      ? [{ step: outcome.step, broughtBack: outcome.broughtBack }]
      : [],
  );
  if (flags.quiet !== true) {
    tellDocument(context, flags, restoredEditsDocument(back));
  }
  if (left.length === 0) {
    return null;
  }
  const reasons = outcomes.flatMap((outcome) =>
    'message' in outcome ? [`${outcome.step}: ${outcome.message}`] : [],
  );
  const error = new RulewrightError([...notBack(left), ...reasons].join('\n'), {
    code: 'apply/not-brought-back',
    fault: 'remote',
    hint: left.map(({ hint }) => hint).join('\n'),
  });
  tellDocument(context, flags, errorReport(error));
  await writeErrorJson(context, flags, error);
  return back.length === 0 ? EXIT.failed : EXIT.partial;
}

/** Lists the rules that are not back, and the rulesets for which that is not known. */
function notBack(left: RestoredEdits['left']): readonly string[] {
  const names = left.flatMap((one) =>
    one.kind === 'missing'
      ? one.rules.map(({ ref, description = '' }) => describedName(ref, description))
      : [],
  );
  return [
    ...(names.length === 0 ? [] : [`rules of others could not be brought back: ${names.join(', ')}`]),
    ...left.flatMap(({ kind, recorded, message }) =>
      kind === 'unknown'
        ? [`whether rules of others are back in ${recorded.step} is not known: ${message}`]
        : [],
    ),
  ];
}
