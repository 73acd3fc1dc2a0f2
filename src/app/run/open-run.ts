import { randomUUID } from 'node:crypto';
import type { WritePermit } from '../../api/write-permit.ts';
import type { Journal } from '../../apply/journal/journal-entry.ts';
import { openJournal } from '../../apply/journal/journal.ts';
import type { RunTime } from './time.ts';

/** Opens a journal for a new run, under a name that no other run has. Throws as `openJournal` does. */
export function openRun(
  path: string,
  { clock, mayWrite }: Pick<RunTime, 'clock'> & { readonly mayWrite?: WritePermit | undefined },
): Promise<Journal> {
  return openJournal(path, { now: () => clock.now(), run: randomUUID(), mayWrite });
}
