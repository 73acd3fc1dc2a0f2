import { randomUUID } from 'node:crypto';
import type { WritePermit } from '../../api/index.ts';
import type { Journal } from '../../apply/index.ts';
import { openJournal } from '../../apply/index.ts';
import type { RunTime } from './time.ts';

/** Opens a journal for a new run, under a name that no other run has. Throws as `openJournal` does. */
export function openRun(
  path: string,
  { clock, mayWrite }: Pick<RunTime, 'clock'> & { readonly mayWrite?: WritePermit | undefined },
): Promise<Journal> {
  return openJournal(path, { now: () => clock.now(), run: randomUUID(), mayWrite });
}
