import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { access, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../../files/error-code.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { isMissing } from '../../files/missing.ts';
import { RulewrightError } from '../../model/error.ts';
import type { JsonValue } from '../../model/json.ts';
import { objectOf, parsedJson, textOf } from '../../model/json.ts';
import { fateOf, ownIdentity } from './process-identity.ts';
import type { ProcessIdentity } from './process-identity.ts';

/** Who holds a journal. */
export interface Holder extends ProcessIdentity {
  /** Since when; milliseconds since 1970. */
  readonly since: number;
}

/** Whether this run has the journal for itself; `holder` is null where the other run has not said yet who it is. */
export type Hold =
  | { readonly kind: 'held'; readonly release: () => Promise<void> }
  | { readonly kind: 'running'; readonly holder: Holder | null };

/** So often a run says that it is alive. */
const BEAT_MS = 10_000;

/** Who said nothing for so long is gone, where the process cannot be looked for: on another machine, or in another container. */
const SILENT_MS = 60_000;

/** After a lock that was left behind is cleared, somebody else may be faster, but hardly again and again. */
const TRIES = 3;

/**
 * Takes a journal for one run, by a file `<path>.lock` beside it. What a run has left behind that is gone does not count: its process is
 * not there any more or, where that cannot be known, gave no sign of life for a minute. Where neither such a file nor the journal can be
 * written, nothing else is: so that is no reason to stop a run that has nothing to write. Throws `apply/journal` where only the lock cannot.
 */
export async function holdJournal(path: string, now: () => number): Promise<Hold> {
  const lock = `${path}.lock`;
  const own = JSON.stringify({ id: randomUUID(), ...(await ownIdentity()), since: now() });
  try {
    await makeFolder(dirname(path));
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      if (await create(lock, own)) {
        return held(lock, own);
      }
      const found = await read(lock);
      if (found !== null && !(await isLeftBehind(lock, found))) {
        return { kind: 'running', holder: holderIn(found.text) };
      }
      if (found !== null) {
        await clear(lock, own);
      }
    }
    return { kind: 'running', holder: null };
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined || !(error instanceof Error)) {
      throw error;
    }
    if (HINDERED.has(code) && !(await isWritable(path))) {
      return { kind: 'held', release: () => Promise.resolve() };
    }
    throw new RulewrightError(`the journal ${path} cannot be kept for one run: ${error.message}`, {
      code: 'apply/journal',
      fault: 'user',
      hint: `${lock} has to be a file that this user can read and write beside the journal; --journal takes another one`,
      cause: error,
    });
  }
}

/** Where nothing can be written: no rights, a medium for reading only, no room. */
const HINDERED: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR']);

async function isWritable(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function held(lock: string, own: string): Hold {
  const beat = setInterval(() => void touch(lock, own), BEAT_MS).unref();
  return {
    kind: 'held',
    release: async () => {
      clearInterval(beat);
      const found = await read(lock).catch(() => null);
      if (found?.text === own) {
        await rm(lock, { force: true });
      }
    },
  };
}

/** A sign of life: the same text again, so that the file system says when. Of a lock that another run took meanwhile, it gives none. */
async function touch(lock: string, own: string): Promise<void> {
  try {
    const file = await open(lock, constants.O_RDWR | constants.O_NOFOLLOW);
    try {
      if ((await textIn(file)) === own) {
        await file.write(own, 0);
      }
    } finally {
      await file.close();
    }
  } catch {
    // The next one may do.
  }
}

/** No lock is longer, in bytes. */
const LONGEST = 1024;

async function textIn(file: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST), 0, LONGEST, 0);
  return buffer.toString('utf8', 0, bytesRead);
}

interface Found {
  readonly text: string;
  /** The last sign of life, by the clock of the file system. */
  readonly seen: number;
}

async function create(lock: string, text: string): Promise<boolean> {
  try {
    const file = await open(lock, 'wx', 0o644);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

/** What is in a lock; null when it is gone. A link that a checkout has there is not followed, and no pipe is waited for. */
async function read(lock: string): Promise<Found | null> {
  try {
    const file = await open(lock, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { mtimeMs } = await file.stat();
      return { text: await textIn(file), seen: mtimeMs };
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

function holderIn(text: string): Holder | null {
  const { pid, host, space, begun, since } = objectOf(parsedJson(text));
  return isCount(pid) && isCount(since)
    ? {
        pid,
        host: textOf(host),
        space: textOf(space),
        begun: typeof begun === 'string' ? begun : null,
        since,
      }
    : null;
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < MOST;
}

/** More is no number of a process, nor a time. */
const MOST = 2 ** 43;

async function isLeftBehind(lock: string, { text, seen }: Found): Promise<boolean> {
  const holder = holderIn(text);
  const fate = holder === null ? 'unknown' : await fateOf(holder);
  return fate === 'unknown' ? Math.abs((await momentBeside(lock)) - seen) > SILENT_MS : fate === 'gone';
}

/** What time it is by the clock of the file system, which several machines may share and none of them sets. */
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
 * Removes a lock that was left behind. One run at a time, by a file of its own: of two that saw the same lock, the second would remove what
 * the first has made in its place.
 */
async function clear(lock: string, own: string): Promise<void> {
  const clearing = `${lock}.clearing`;
  if (!(await create(clearing, own))) {
    const other = await read(clearing);
    if (other !== null && (await isLeftBehind(lock, other))) {
      await rm(clearing, { force: true });
    }
    return;
  }
  try {
    const found = await read(lock);
    if (found !== null && (await isLeftBehind(lock, found))) {
      await rm(lock, { force: true });
    }
  } finally {
    await rm(clearing, { force: true });
  }
}
