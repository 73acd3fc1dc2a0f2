import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, rm, readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { kill, pid, platform } from 'node:process';
import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { errorCode, isMissing } from './file-errors.ts';
import { refusedLock } from './refuse-links.ts';
import { makeFolder, namingFile } from './write-text.ts';

/** A process, distinguishable from one that gets its number later, or has it in another space. */
interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** The space in which the process number is valid; empty when it is not known. */
  readonly space: string;
  /** Start of the process, as the system counts; null when the system does not tell. */
  readonly begun: string | null;
}

/** Returns the identity of this process. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  return { pid, host: hostname(), space: await processSpace(), begun: await beginOf(pid) };
}

/**
 * Whether a process still exists; `unknown` when its number is not valid here, or may belong to another process by now. Nothing proves that a process
 * in another space is gone: containers with one host name can run side by side, clones of a machine share everything that names it, and some
 * containers have a boot id of their own beside others of their machine.
 */
async function fateOf({ pid: number, space, begun }: ProcessIdentity): Promise<'alive' | 'gone' | 'unknown'> {
  if (space === '' || space !== (await processSpace())) {
    return 'unknown';
  }
  if (!isThere(number)) {
    return 'gone';
  }
  const now = await beginOf(number);
  return now === null || begun === null ? 'unknown' : now === begun ? 'alive' : 'gone';
}

/**
 * Returns the space in which process numbers are valid: on Linux, one boot of the kernel and a pid namespace in it, which containers with one host
 * name do not share; empty in a container that hides them. On other systems, the host.
 */
async function processSpace(): Promise<string> {
  try {
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    return boot === '' ? '' : `${boot} ${await readlink('/proc/self/ns/pid')}`;
  } catch {
    return platform === 'linux' ? '' : hostname();
  }
}

/** Returns the start of a process in ticks since boot: the 20th field after the process name, which may contain anything. */
async function beginOf(number: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${number}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

function isThere(number: number): boolean {
  try {
    kill(number, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

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
    throw errorCode(error) === 'ELOOP' ? refusedLock(lock) : error;
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
    if (await namingFile(path, () => createLock(lock, own))) {
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
