import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FoundLock, Holder } from './lock-file.ts';
import { createLock, holderIn, lockOf, readLock, touchLock } from './lock-file.ts';
import { makeFolder } from './make-folder.ts';
import { fateOf, ownIdentity } from './process-identity.ts';

/** Whether this process holds a file; `holder` is null while the process that holds it has not yet written who it is. */
export type FileHold =
  | {
      readonly kind: 'held';
      /** Whether this process still holds the file; if so, nobody else takes it for a minute. Rejects as the file system does. */
      readonly isStillHeld: () => Promise<boolean>;
      readonly release: () => Promise<void>;
    }
  | { readonly kind: 'taken'; readonly holder: Holder | null };

/** Interval between two signs of life, in milliseconds. */
const BEAT_MS = 10_000;

/** Silence, in milliseconds, after which a holder is gone if its process cannot be looked up: on another machine, or in another container. */
const SILENT_MS = 60_000;

/** Number of attempts: after a lock that was left behind is removed, somebody else may be faster, but hardly again and again. */
const TRIES = 3;

/**
 * Holds a file for this process by a lock beside it, and creates its folder. Ignores a lock that was left behind: its process no longer exists or,
 * where that cannot be known, gave no sign of life for a minute. Rejects as the file system does.
 */
export async function holdFile(path: string, now: () => number): Promise<FileHold> {
  const lock = lockOf(path);
  const own = JSON.stringify({ id: randomUUID(), ...(await ownIdentity()), since: now() });
  await makeFolder(dirname(path));
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    if (await createLock(lock, own)) {
      return held(lock, own);
    }
    const found = await readLock(lock);
    if (found !== null) {
      if (!(await isLeftBehind(lock, found))) {
        return { kind: 'taken', holder: holderIn(found.text) };
      }
      await clear(lock, own);
    }
  }
  return { kind: 'taken', holder: null };
}

function held(lock: string, own: string): FileHold {
  const isStillHeld = (): Promise<boolean> => touchLock(lock, own);
  // If one sign of life fails, the next may succeed.
  const beat = setInterval(() => void isStillHeld().catch(() => undefined), BEAT_MS).unref();
  return {
    kind: 'held',
    isStillHeld,
    release: async () => {
      clearInterval(beat);
      if (await isStillHeld().catch(() => false)) {
        await rm(lock, { force: true });
      }
    },
  };
}

async function isLeftBehind(lock: string, { text, seen }: FoundLock): Promise<boolean> {
  const holder = holderIn(text);
  const fate = holder === null ? 'unknown' : await fateOf(holder);
  return fate === 'unknown' ? Math.abs((await momentBeside(lock)) - seen) > SILENT_MS : fate === 'gone';
}

/** Returns the time by the clock of the file system, which several machines may share and none of them sets. */
async function momentBeside(lock: string): Promise<number> {
  const probe = `${lock}.${randomUUID()}`;
  const file = await open(probe, 'wx', 0o600);
  try {
    return (await file.stat()).mtimeMs;
  } finally {
    await file.close();
    await rm(probe, { force: true });
  }
}

/**
 * Removes a lock that was left behind, one process at a time, by a lock for the removal: of two processes that saw the same lock, the second would
 * otherwise remove the new lock of the first.
 */
async function clear(lock: string, own: string): Promise<void> {
  const clearing = `${lock}.clearing`;
  if (!(await createLock(clearing, own))) {
    return removeLeftBehind(clearing);
  }
  try {
    await removeLeftBehind(lock);
  } finally {
    await rm(clearing, { force: true });
  }
}

async function removeLeftBehind(lock: string): Promise<void> {
  const found = await readLock(lock);
  if (found !== null && (await isLeftBehind(lock, found))) {
    await rm(lock, { force: true });
  }
}
