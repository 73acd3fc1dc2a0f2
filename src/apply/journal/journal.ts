import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { WritePermit } from '../../api/write-permit.ts';
import { WITHHELD_HINT } from '../../api/write-permit.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { RulewrightError } from '../../model/error.ts';
import type { Journal } from './journal-entry.ts';
import { hasUnfinishedRun } from './last-run.ts';
import { requireJournal } from './require-journal.ts';

export { NO_JOURNAL } from './journal-entry.ts';
export type { Journal, JournalEntry } from './journal-entry.ts';

/** Whose journal it is, and how large it may grow. */
export interface JournalOptions {
  /** Milliseconds since 1970, from the injected clock. */
  readonly now: () => number;
  /** The name of the run, which each line carries. */
  readonly run: string;
  /** Asked before a run begins; nothing stands against it unless given. */
  readonly mayWrite?: WritePermit | undefined;
}

/** Of a run that begins; no other has its name. */
export interface NewRunOptions extends JournalOptions {
  /** A file above this size makes room: it becomes `<path>.1`, in the place of an older one. 8 MiB unless given. */
  readonly mostBytes?: number;
}

/** For reading and appending, made if need be. A link is not followed: one in a checkout would have the run write where it leads. */
const APPENDING = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Opens a journal file of JSON lines for a run that begins; makes its folder. Each line has `at` and `run`. A last
 * line that a crash tore gets its line end, so that what follows can be read. Throws `apply/journal`, and `apply/not-held`
 * as `record` does where a run begins that may not write.
 */
export function openJournal(
  path: string,
  { mostBytes = MOST_BYTES, ...options }: NewRunOptions,
): Promise<Journal> {
  return journalAt(path, options, mostBytes);
}

/** Opens a journal file to go on with a run that it has: the file stays, however large it is, for the head of the run is in it. */
export function continueJournal(path: string, options: JournalOptions): Promise<Journal> {
  return journalAt(path, options, Infinity);
}

/** Gives a run that did not end its end, once nothing is left to do of what it wanted. Throws `apply/journal`. */
export async function settleRun(path: string, options: JournalOptions): Promise<void> {
  const journal = await continueJournal(path, options);
  try {
    await journal.record({ kind: 'end', result: 'settled' });
  } finally {
    await journal.close();
  }
}

async function journalAt(
  path: string,
  { now, run, mayWrite }: JournalOptions,
  mostBytes: number,
): Promise<Journal> {
  await requirePermit(mayWrite);
  const file = await guarded(path, () => openForAppending(path, mostBytes));
  let tail: Promise<void> = Promise.resolve();
  return {
    record(entry) {
      const line = `${JSON.stringify({ at: now(), run, ...entry })}\n`;
      const begun = entry.kind === 'run' ? tail.then(() => requirePermit(mayWrite)) : tail;
      const done = begun.then(() => guarded(path, () => append(file, line)));
      tail = done.catch(() => undefined);
      return done;
    },
    async close() {
      await tail;
      await file.close();
    },
  };
}

/** A head behind the one of another run would hide what that one leaves. */
async function requirePermit(mayWrite: WritePermit | undefined): Promise<void> {
  const withheld = await mayWrite?.();
  if (typeof withheld === 'string') {
    throw new RulewrightError(`${withheld}; it writes nothing more`, {
      code: 'apply/not-held',
      fault: 'user',
      hint: WITHHELD_HINT,
    });
  }
}

async function openForAppending(path: string, mostBytes: number): Promise<FileHandle> {
  await makeFolder(dirname(path));
  const file = await open(path, APPENDING, 0o600);
  try {
    await requireJournal(file, path);
    const { size } = await file.stat();
    // The next run has to find what one that crashed has left.
    if (size > mostBytes && !(await hasUnfinishedRun(path))) {
      await file.close();
      await rename(path, `${path}.1`);
      return await openForAppending(path, mostBytes);
    }
    if (size > 0 && !(await endsItsLine(file, size))) {
      await append(file, '\n');
    }
    await syncFolder(dirname(path));
    return file;
  } catch (error) {
    await file.close().catch(() => undefined);
    throw error;
  }
}

async function endsItsLine(file: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === 0x0a;
}

async function append(file: FileHandle, text: string): Promise<void> {
  await file.appendFile(text);
  await file.datasync();
}

/** A new file survives a crash only when its folder was synced; some systems cannot do that and need not. */
async function syncFolder(path: string): Promise<void> {
  let folder: FileHandle | undefined;
  try {
    folder = await open(path, 'r');
    await folder.sync();
  } catch {
    // EISDIR, EPERM, EINVAL: a system that has no such thing.
  } finally {
    await folder?.close();
  }
}

async function guarded<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RulewrightError) {
      throw error;
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new RulewrightError(`the journal ${path} cannot be written: ${reason}`, {
      code: 'apply/journal',
      fault: 'user',
      hint: 'nothing is written without a journal: give another path with --journal',
      cause: error,
    });
  }
}
