import { openReadClient } from '../../api/index.ts';
import { continueJournal, restoreRulesetEdits, findOverwrittenEdits } from '../../apply/index.ts';
import type { RecordedRun, OverwrittenEdits } from '../../apply/index.ts';
import type { Outcome } from '../../model/index.ts';
import type { OnEvent } from '../run/events.ts';
import { journalPath } from '../run/journal-choice.ts';
import { openWriting } from '../service/open-writing.ts';
import { withService } from '../service/open-service.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import type { JournalChoice } from '../run/journal-choice.ts';
import { crashedRun } from './crashed-run.ts';

/**
 * Finds the changes of others that a crashed run overwrote with a whole list of rules, and could not restore before it ended. Writes
 * nothing.
 */
export async function readOverwrittenEdits(
  run: RecordedRun,
  options: ServiceOptions,
  report: OnEvent,
): Promise<readonly OverwrittenEdits[]> {
  return run.steps.every(({ list }) => list === null)
    ? []
    : withService({ options, open: openReadClient, report }, (service) =>
        run.service === service.identity
          ? findOverwrittenEdits(run, (tokenEnv) => service.client(tokenEnv))
          : Promise.resolve([]),
      );
}

/** The result of restoring what a crashed run overwrote. */
export interface RestoredEdits {
  readonly outcomes: readonly Outcome[];
  /**
   * What could not be restored, which the next run does not report again; and where live could not be read afterwards, so that the
   * next run looks again.
   */
  readonly left: readonly OverwrittenEdits[];
}

/**
 * Restores what `readOverwrittenEdits` finds, and records that as work of the crashed run; does nothing if that run has an end by now.
 * Throws `apply/journal`.
 */
export async function restoreOverwrittenEdits(
  choice: JournalChoice,
  options: ServiceOptions,
  report: OnEvent,
): Promise<RestoredEdits> {
  const run = await crashedRun(choice);
  if (run === null) {
    return { outcomes: [], left: [] };
  }
  return withService({ options, open: openWriting, report }, async (service) => {
    const find = (): Promise<readonly OverwrittenEdits[]> =>
      findOverwrittenEdits(run, (tokenEnv) => service.client(tokenEnv));
    const journal = await continueJournal(journalPath(choice), {
      now: () => options.clock.now(),
      run: run.run,
      mayWrite: options.mayWrite,
    });
    try {
      const outcomes: Outcome[] = [];
      const missing = (await find()).filter(({ kind }) => kind === 'missing');
      for (const { recorded } of missing) {
        const outcome = await restoreRulesetEdits(recorded, {
          client: service.client(recorded.tokenEnv),
          journal,
        });
        outcomes.push(...(outcome === null ? [] : [outcome]));
      }
      const touched = new Set(missing.map(({ recorded }) => recorded.step));
      const left = (await find()).filter(
        (one) => one.kind === 'missing' || (one.failed && touched.has(one.recorded.step)),
      );
      if (left.length > 0 && left.every(({ kind }) => kind === 'missing')) {
        await journal.record({ kind: 'end', result: 'partial' });
      }
      return { outcomes, left };
    } finally {
      await journal.close();
    }
  });
}
