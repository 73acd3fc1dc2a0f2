import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rm, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { kill, pid } from 'node:process';
import { errorCode } from '../../files/error-code.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { isMissing } from '../../files/missing.ts';
import type { JsonValue } from '../../model/json.ts';
import { objectOf, parsedJson, textOf } from '../../model/json.ts';

/** Who holds a journal. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Since when; milliseconds since 1970. */
  readonly since: number;
}

/** Whether this run has the journal for itself; `holder` is null where the other run has not said yet who it is. */
export type Hold =
  | { readonly kind: 'held'; readonly release: () => Promise<void> }
  | { readonly kind: 'running'; readonly holder: Holder | null };

/** So often a run says that it is alive. */
const BEAT_MS = 10_000;

/** Who said nothing for so long is gone: the numbers of processes are used again, and say nothing of another machine or container. */
const SILENT_MS = 60_000;

/** After a lock that was left behind is cleared, somebody else may be faster, but hardly again and again. */
const TRIES = 3;

/**
 * Takes a journal for one run, by a file `<path>.lock` beside it. What a run has left behind that is gone does not count: its process is
 * not there any more, or it gave no sign of life for a minute. Where no such file can be made, hardly a journal can, without which
 * nothing is written; so that is no reason to stop a run that has nothing to write.
 */
export async function holdJournal(path: string, now: () => number): Promise<Hold> {
  const lock = `${path}.lock`;
  const own = JSON.stringify({ id: randomUUID(), pid, host: hostname(), since: now() });
  try {
    await makeFolder(dirname(path));
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      if (await create(lock, own)) {
        return held(lock, own);
      }
      const found = await read(lock);
      if (found !== null && !isLeftBehind(found)) {
        return { kind: 'running', holder: holderIn(found.text) };
      }
      if (found !== null) {
        await clear(lock);
      }
    }
    return { kind: 'running', holder: null };
  } catch (error) {
    if (errorCode(error) === undefined) {
      throw error;
    }
    return { kind: 'held', release: () => Promise.resolve() };
  }
}

function held(lock: string, own: string): Hold {
  const beat = setInterval(() => {
    const now = new Date();
    utimes(lock, now, now).catch(() => undefined);
  }, BEAT_MS).unref();
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

interface Found {
  readonly text: string;
  /** The last sign of life, by the clock of the file system and not by that of the run, which stands still while a machine sleeps. */
  readonly seen: number;
}

async function create(lock: string, text: string): Promise<boolean> {
  try {
    const file = await open(lock, 'wx', 0o600);
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
      const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0);
      return { text: buffer.toString('utf8', 0, bytesRead), seen: mtimeMs };
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
  const { pid: number, host, since } = objectOf(parsedJson(text));
  return isCount(number) && isCount(since) ? { pid: number, host: textOf(host), since } : null;
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < MOST;
}

/** More is no number of a process, nor a time. */
const MOST = 2 ** 43;

function isLeftBehind({ text, seen }: Found): boolean {
  const holder = holderIn(text);
  const isGone = holder?.host === hostname() && !isAlive(holder.pid);
  return isGone || Math.abs(Date.now() - seen) > SILENT_MS;
}

function isAlive(process: number): boolean {
  try {
    kill(process, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/**
 * Removes a lock that was left behind. One run at a time, by a file of its own: of two that saw the same lock, the second would remove what
 * the first has made in its place.
 */
async function clear(lock: string): Promise<void> {
  const clearing = `${lock}.clearing`;
  if (!(await create(clearing, ''))) {
    const other = await read(clearing);
    if (other !== null && isLeftBehind(other)) {
      await rm(clearing, { force: true });
    }
    return;
  }
  try {
    const found = await read(lock);
    if (found !== null && isLeftBehind(found)) {
      await rm(lock, { force: true });
    }
  } finally {
    await rm(clearing, { force: true });
  }
}
