import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { WritePermit } from '../../api/index.ts';
import { WITHHELD_HINT } from '../../api/index.ts';
import { makeFolder } from '../../files/index.ts';
import { RulewrightError, errorMessage } from '../../model/index.ts';
import type { Journal } from './journal-entry.ts';
import { hasUnfinishedRun } from './read-journal.ts';
import { requireJournal } from './require-journal.ts';

/** Options of a journal that is opened for a run. */
export interface JournalOptions {
  /** Milliseconds since 1970, from the injected clock. */
  readonly now: () => number;
  /** Name of the run, recorded in every line. */
  readonly run: string;
  /** Asked when the journal is opened and before the head of a run is recorded; when omitted, every run may begin. */
  readonly mayWrite?: WritePermit | undefined;
}

/** Options for a run that begins; no other run has its name. */
export interface NewRunOptions extends JournalOptions {
  /** A file above this size is renamed to `<path>.1`, replacing an older one, unless its last run is unfinished; 8 MiB by default. */
  readonly mostBytes?: number;
}

/** Reads and appends, creating the file if need be. Does not follow a link: one in a checkout could make the run write anywhere. */
const APPENDING = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Opens a journal file (JSON Lines) for a run that begins, and creates its folder. Each line has `at` and `run`. Ends a last line that a crash tore,
 * so that later lines can be read. Throws `apply/journal`, and `apply/not-held` when the run may not write; `record` rejects with the latter for the
 * head of a run.
 */
export function openJournal(
  path: string,
  { mostBytes = MOST_BYTES, ...options }: NewRunOptions,
): Promise<Journal> {
  return journalAt(path, options, mostBytes);
}

/** Opens a journal file to continue a run recorded in it. The file stays, however large it is, because it holds the head of the run. */
export function continueJournal(path: string, options: JournalOptions): Promise<Journal> {
  return journalAt(path, options, Infinity);
}

/** Records the end of an unfinished run, once nothing of it is left to do. Throws `apply/journal`. */
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

/** Throws `apply/not-held` unless the run may write: its head, after the one of another run, would hide what that run leaves unfinished. */
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
    // A file with an unfinished run stays: the next run has to find it.
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

/** Syncs a folder, without which a new file in it may not survive a crash; some systems cannot do that and need not. */
async function syncFolder(path: string): Promise<void> {
  let folder: FileHandle | undefined;
  try {
    folder = await open(path, 'r');
    await folder.sync();
  } catch {
    // EISDIR, EPERM, EINVAL: the system cannot sync folders.
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
    const reason = errorMessage(error);
    throw new RulewrightError(`the journal ${path} cannot be written: ${reason}`, {
      code: 'apply/journal',
      fault: 'user',
      hint: 'nothing is written without a journal: give another path with --journal',
      cause: error,
    });
  }
}
