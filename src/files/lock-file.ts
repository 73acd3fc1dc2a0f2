import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, rm } from 'node:fs/promises';
import { errorCode } from './error-code.ts';
import { isMissing } from './missing.ts';
import type { ProcessIdentity } from './process-identity.ts';

/** The process that holds a file. */
export interface Holder extends ProcessIdentity {
  /** Start of the hold, in milliseconds since 1970. */
  readonly since: number;
}

/** A lock that exists. */
export interface FoundLock {
  readonly text: string;
  /** The last sign of life by the clock of the file system, in milliseconds since 1970. */
  readonly seen: number;
}

/** Returns the path of a file's lock, which is beside the file. */
export function lockOf(path: string): string {
  return `${path}.lock`;
}

/** Creates a lock with a text, and removes it again if the text cannot be written; false when there is a lock already. */
export async function createLock(lock: string, text: string): Promise<boolean> {
  let file: FileHandle;
  try {
    file = await open(lock, 'wx', 0o644);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') {
      return false;
    }
    throw error;
  }
  try {
    await file.appendFile(text);
    return true;
  } catch (error) {
    await rm(lock, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Reads a lock; null when it does not exist. Does not follow a link, which a checkout could contain, and does not wait for a pipe. */
export async function readLock(lock: string): Promise<FoundLock | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  return withLock(lock, flags, async (file) => ({
    text: await textIn(file),
    seen: (await file.stat()).mtimeMs,
  }));
}

/**
 * Gives a sign of life if a lock still has this text: writes the text again, so that the file system sets the time. False when the lock has another
 * text or is gone.
 */
export async function touchLock(lock: string, text: string): Promise<boolean> {
  const touched = await withLock(lock, constants.O_RDWR | constants.O_NOFOLLOW, async (file) => {
    const isSame = (await textIn(file)) === text;
    if (isSame) {
      await file.write(text, 0);
    }
    return isSame;
  });
  return touched === true;
}

async function withLock<Result>(
  lock: string,
  flags: number,
  work: (file: FileHandle) => Promise<Result>,
): Promise<Result | null> {
  try {
    const file = await open(lock, flags);
    try {
      return await work(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error)) {
      return null;
    }
    throw error;
  }
}

/** Maximum length of a lock, in bytes. */
const LONGEST = 1024;

async function textIn(file: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST), 0, LONGEST, 0);
  return buffer.toString('utf8', 0, bytesRead);
}

/** Parses the holder in the text of a lock; null for a text that a crash left incomplete. */
export function holderIn(text: string): Holder | null {
  const said = parsed(text);
  if (typeof said !== 'object' || said === null) {
    return null;
  }
  const { pid, host, space, begun, since }: Partial<Record<keyof Holder, unknown>> = said;
  return isCount(pid) && isCount(since) && typeof host === 'string' && typeof space === 'string'
    ? { pid, host, space, begun: typeof begun === 'string' ? begun : null, since }
    : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < MOST;
}

/** A larger number is neither a process id nor a time. */
const MOST = 2 ** 43;
