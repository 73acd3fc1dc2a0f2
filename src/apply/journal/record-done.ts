import { RulewrightError } from '../../model/error.ts';
import type { Journal, JournalEntry } from './journal-entry.ts';

/** The journal did not take what the run did; what it did is in its result. */
export interface JournalEvent {
  readonly kind: 'journal';
  readonly problem: string;
}

/**
 * Records what has happened and is known already. A journal that does not take it is told, and hides nothing of that: the next run
 * finds a run without an end, and looks at live.
 */
export async function recordDone(
  journal: Journal,
  entry: JournalEntry,
  report: (event: JournalEvent) => void,
): Promise<void> {
  try {
    await journal.record(entry);
  } catch (error) {
    if (!(error instanceof RulewrightError)) {
      throw error;
    }
    report({ kind: 'journal', problem: error.message });
  }
}
