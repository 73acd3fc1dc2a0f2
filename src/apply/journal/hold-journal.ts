import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { WritePermit } from '../../api/index.ts';
import { errorCode, hintForFile, holdFile, lockOf } from '../../files/index.ts';
import type { Holder } from '../../files/index.ts';
import { RulewrightError, errorMessage } from '../../model/index.ts';

/** Whether this run holds the journal exclusively; `holder` is null while the run that holds it has not yet written who it is. */
export type Hold =
  | {
      readonly kind: 'held';
      /** Whether this run still holds the journal; goes into the options of the service's client, so that nothing is written without the hold. */
      readonly mayWrite: WritePermit;
      readonly release: () => Promise<void>;
    }
  | { readonly kind: 'running'; readonly holder: Holder | null };

/**
 * Takes the journal for this run alone. When neither the lock nor the journal can be written, returns a hold that permits no writes, so that a run
 * with nothing to write can go on. Throws `apply/journal` when only the lock cannot be written.
 */
export async function holdJournal(path: string, now: () => number): Promise<Hold> {
  try {
    const hold = await holdFile(path, now);
    return hold.kind === 'held'
      ? { kind: 'held', mayWrite: permitOf(path, hold.isStillHeld), release: hold.release }
      : { kind: 'running', holder: hold.holder };
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined || !(error instanceof Error)) {
      throw error;
    }
    const message = `the journal ${path} cannot be kept for one run: ${error.message}`;
    if (HINDERED.has(code) && !(await isWritable(path))) {
      return { kind: 'held', mayWrite: () => Promise.resolve(message), release: () => Promise.resolve() };
    }
    throw new RulewrightError(message, {
      code: 'apply/journal',
      fault: 'user',
      hint:
        hintForFile(error) ??
        `${lockOf(path)} has to be a file that this user can read and write beside the journal; --journal takes another one`,
      cause: error,
    });
  }
}

function permitOf(path: string, isStillHeld: () => Promise<boolean>): WritePermit {
  return async () => {
    try {
      return (await isStillHeld())
        ? null
        : `this run no longer has the journal ${path} for itself, as after a minute in which its machine or container was suspended`;
    } catch (error) {
      const reason = errorMessage(error);
      return `whether this run still has the journal ${path} for itself cannot be told: ${reason}`;
    }
  };
}

/** Error codes of a path that cannot be written: no permission, read-only medium, no space left. */
const HINDERED: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR']);

async function isWritable(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
