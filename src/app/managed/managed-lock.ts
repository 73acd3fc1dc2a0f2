import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { RulewrightError } from '../../model/error.ts';
import type { ManagedLock } from '../../model/managed-lock.ts';
import { LOCK_FILE } from '../../model/managed-lock.ts';
import { lockText, parseLock } from '../../plan/lock/lock-text.ts';

/** The lock of a project; null when it has none. Throws `lock/invalid`, and `lock/unreadable` when the file system refuses. */
export async function readLock(folder: string): Promise<ManagedLock | null> {
  const text = await lockFile(folder);
  return text === null ? null : parseLock(text);
}

/** Writes the lock unless it is there already, byte for byte; says whether it wrote. Throws `lock/not-written`. */
export async function writeLock(folder: string, lock: ManagedLock): Promise<boolean> {
  const text = lockText(lock);
  if ((await lockFile(folder)) === text) {
    return false;
  }
  try {
    await writeFileAtomic(join(folder, LOCK_FILE), text);
  } catch (error) {
    throw refused('written', error);
  }
  return true;
}

async function lockFile(folder: string): Promise<string | null> {
  try {
    return await readFile(join(folder, LOCK_FILE), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return null;
    }
    throw refused('read', error);
  }
}

function refused(done: 'read' | 'written', error: unknown): RulewrightError {
  return new RulewrightError(
    `${LOCK_FILE} cannot be ${done}: ${error instanceof Error ? error.message : ''}`,
    {
      code: done === 'read' ? 'lock/unreadable' : 'lock/not-written',
      fault: 'user',
      hint: 'check that it is a file, and its permissions',
      cause: error,
    },
  );
}
