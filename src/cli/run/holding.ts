import { holdJournal, journalPath } from '../../app/index.ts';
import type { Holder } from '../../files/index.ts';
import { RulewrightError } from '../../model/index.ts';
import { momentText, errorReport } from '../../report/index.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { writeErrorJson } from '../report-failure.ts';
import { tellDocument } from '../tell-document.ts';
import type { Journaling } from './journal-of-run.ts';
import { journalChoice } from './journal-of-run.ts';

/** A command, and the journal that it records its writes in. */
interface Holding extends Pick<Journaling, 'context' | 'flags'> {
  readonly journal: string;
}

/**
 * Does the work of a command while no other run can use its journal: from before it looks for what a crashed run left, for which a live run must not
 * be taken, to its end, questions included. A dry run writes nothing to the journal, so it need not hold it.
 */
export async function whileHolding(run: Journaling, work: () => Promise<ExitCode>): Promise<ExitCode> {
  const journal = journalPath(await journalChoice(run.context, run.flags, run.paths));
  return whileHoldingFile({ ...run, journal }, work);
}

/** `whileHolding` for the journal at this path. */
export async function whileHoldingFile(
  { context, flags, journal }: Holding,
  work: () => Promise<ExitCode>,
): Promise<ExitCode> {
  if (flags.dryRun === true) {
    return work();
  }
  const taken = await holdJournal(journal, () => context.clock.now());
  if (taken.kind === 'running') {
    const error = runningError(journal, taken.holder);
    tellDocument(context, flags, errorReport(error));
    await writeErrorJson(context, flags, error);
    return EXIT.refused;
  }
  context.session.writeWhile(taken.mayWrite);
  const release = context.session.addExitHook(() => taken.release());
  try {
    return await work();
  } finally {
    await release(EXIT.done);
  }
}

function runningError(journal: string, holder: Holder | null): RulewrightError {
  const who =
    holder === null
      ? 'another run'
      : `another run (process ${holder.pid} on ${holder.host}, since ${momentText(new Date(holder.since).toISOString())})`;
  return new RulewrightError(`${who} is using the journal ${journal}; nothing was written`, {
    code: 'apply/running',
    fault: 'user',
    hint: 'wait until it ends (it may be waiting for an answer), and run this again; after a crash, that takes a minute at most',
  });
}
