import { openReadClient } from '../../api/client.ts';
import { systemClock } from '../../api/clock.ts';
import { openJournal } from '../../apply/journal/journal.ts';
import { readLastRun } from '../../apply/journal/read-journal.ts';
import { describeUnfinished } from '../../apply/journal/unfinished-run.ts';
import type { UnfinishedRun } from '../../model/unfinished-run.ts';
import { journalPath } from '../apply.ts';
import type { ApplyOptions } from '../apply.ts';
import type { Report } from '../events.ts';
import { withService } from '../service/open-service.ts';
import type { ServiceOptions } from '../service/service-options.ts';

/** Which journal is meant. */
export type JournalChoice = Pick<ApplyOptions, 'journal' | 'cwd'>;

/**
 * The last run of the journal when it has no end, with what it had done and not done, from the journal and
 * from live. Null when it ended, when there is none, or when it was about another service.
 */
export async function unfinishedRun(
  choice: JournalChoice,
  options: ServiceOptions,
  report: Report,
): Promise<UnfinishedRun | null> {
  const run = await readLastRun(journalPath(choice));
  if (run === null || run.end !== null) {
    return null;
  }
  return withService({ options, open: openReadClient, report }, (service) =>
    run.service === service.identity
      ? describeUnfinished(run, (tokenEnv) => service.client(tokenEnv))
      : Promise.resolve(null),
  );
}

/** Gives the last run of the journal its end, once nothing is left to do of what it wanted. */
export async function settleUnfinished(choice: JournalChoice): Promise<void> {
  const path = journalPath(choice);
  const run = await readLastRun(path);
  if (run !== null && run.end === null) {
    const journal = await openJournal(path, { now: () => systemClock.now(), run: run.run });
    try {
      await journal.record({ kind: 'end', result: 'settled' });
    } finally {
      await journal.close();
    }
  }
}
