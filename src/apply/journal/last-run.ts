import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isMissing } from '../../files/missing.ts';
import { refuseLinks } from '../../files/refuse-links.ts';
import { RulewrightError, errorMessage } from '../../model/error.ts';
import { isJsonObject, parsedJson } from '../../model/json.ts';
import type { JsonObject } from '../../model/json.ts';
import type { RunPurpose } from './journal-entry.ts';
import { requireJournal } from './require-journal.ts';

/** The purposes of runs that write rulesets. */
export const WRITING = ['apply', 'rollback', 'waf'] as const satisfies readonly RunPurpose[];

/** What a run that writes rulesets is for. */
export type WritingPurpose = (typeof WRITING)[number];

/** The last run of a journal: its name, its head, and all of its entries, the head first. */
export interface LastRun {
  readonly run: string;
  readonly head: JsonObject;
  readonly own: readonly JsonObject[];
}

/** Whether the journal's last run that writes rulesets, or its last retirement, has no end. */
export async function hasUnfinishedRun(path: string): Promise<boolean> {
  const runs = await Promise.all([lastRunIn(path, WRITING), lastRunIn(path, ['retire'])]);
  return runs.some((run) => run !== null && run.own.every(({ kind }) => kind !== 'end'));
}

/** Returns the last run in a journal file that has one of the given purposes; null when there is none. */
export async function lastRunIn(
  path: string,
  purposes: readonly RunPurpose[],
  tailBytes = TAIL_BYTES,
): Promise<LastRun | null> {
  const { text, isWhole } = await readTail(path, tailBytes);
  const last = lastRunOf(text, purposes);
  return last === null && !isWhole ? lastRunIn(path, purposes, tailBytes * 2) : last;
}

/** Returns the last run in a journal's text that has one of the given purposes; null when there is none. */
export function lastRunOf(text: string, purposes: readonly RunPurpose[] = WRITING): LastRun | null {
  const entries = linesOf(text);
  const start = entries.findLastIndex(
    ({ kind, purpose }) => kind === 'run' && purposes.some((one) => one === purpose),
  );
  const head = entries[start];
  const run = head?.['run'];
  if (head === undefined || typeof run !== 'string') {
    return null;
  }
  // The rollback of a failed run writes a head of its own, after the entries of the run that it undoes.
  const own = entries.slice(start).filter((entry) => entry['run'] === run);
  return { run, head, own };
}

/** Number of bytes read from the end of a longer journal; doubled until the head of the last run is found. */
const TAIL_BYTES = 64 * 1024 * 1024;

async function readTail(
  path: string,
  most: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  try {
    await refuseLinks(path);
    // O_NONBLOCK: opening a pipe must not wait for its other end.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await file.stat();
      if (!found.isFile()) {
        throw new Error('it is not a regular file');
      }
      await requireJournal(file, path);
      const { size } = found;
      const length = Math.min(size, most);
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
      return { text: buffer.toString('utf8'), isWhole: length === size };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error)) {
      return { text: '', isWhole: true };
    }
    if (error instanceof RulewrightError) {
      throw error;
    }
    throw new RulewrightError(`The journal ${path} cannot be read: ${errorMessage(error)}.`, {
      code: 'apply/journal',
      fault: 'user',
      hint: 'what an earlier run left undone stands in it: make it readable, or give another path with --journal',
      cause: error,
    });
  }
}

/** Parses the entries of a journal; skips lines that are not whole JSON objects. */
export function linesOf(text: string): readonly JsonObject[] {
  return text.split('\n').flatMap((line) => {
    const value = parsedJson(line);
    return isJsonObject(value) ? [value] : [];
  });
}

/** Returns the time of an entry in milliseconds since 1970; 0 when it has none. */
export function timeOf({ at }: JsonObject): number {
  return typeof at === 'number' ? at : 0;
}
