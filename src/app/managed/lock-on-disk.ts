import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { isMissing, readText } from '../../files/index.ts';
import { RulewrightError, errorMessage, LOCK_FILE } from '../../model/index.ts';
import type { ManagedLock } from '../../model/index.ts';
import { lockText, parseLock } from '../../plan/index.ts';

/** Reads the lock of a project; null if it has none. Throws `lock/invalid`, and `lock/unreadable` if the file system refuses. */
export async function readLock(folder: string): Promise<ManagedLock | null> {
  const text = await lockFile(folder);
  return text === null ? null : parseLock(text);
}

/** Writes the lock unless the file already has exactly this text; returns whether it wrote. Throws `lock/not-written`. */
export async function writeLock(folder: string, lock: ManagedLock): Promise<boolean> {
  const text = lockText(lock);
  if ((await lockFile(folder)) === text) {
    return false;
  }
  try {
    await writeFileAtomic(join(folder, LOCK_FILE), text);
  } catch (error) {
    const reason = errorMessage(error);
    throw refused('lock/not-written', `cannot be written: ${reason}`, error);
  }
  return true;
}

async function lockFile(folder: string): Promise<string | null> {
  const read = await readText(join(folder, LOCK_FILE), LOCK_FILE);
  if (read.kind === 'text') {
    return read.text;
  }
  if (isMissing(read.cause)) {
    return null;
  }
  throw refused('lock/unreadable', read.reason, read.cause);
}

function refused(
  code: 'lock/unreadable' | 'lock/not-written',
  reason: string,
  cause: unknown,
): RulewrightError {
  return new RulewrightError(`${LOCK_FILE} ${reason}`, {
    code,
    fault: 'user',
    hint: 'check that it is a file, and its permissions',
    cause,
  });
}
