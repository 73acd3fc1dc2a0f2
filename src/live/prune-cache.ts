import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CACHE_FORMAT } from './cache-files.ts';
import { openKept } from './kept-file.ts';
import type { Clock } from '../api/clock.ts';
import { makeFolder } from '../files/make-folder.ts';

/** What stays: entries used lately, the newest first, up to a size. */
interface PruneLimits {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

/** What was removed, and what is left. */
export interface Pruned {
  readonly removed: number;
  readonly kept: number;
  readonly bytes: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Ten thousand zones take about half of it. */
export const PRUNE_LIMITS: PruneLimits = { maxAgeMs: 30 * DAY_MS, maxBytes: 256 * 1024 * 1024 };

interface Entry {
  readonly path: string;
  readonly bytes: number;
  readonly used: number;
}

/** Removes what was not used for long, and the least recently used beyond the size. A run that reads it meanwhile reads afresh. */
export async function pruneCache(folder: string, clock: Clock, limits: PruneLimits): Promise<Pruned> {
  const entries = await entriesOf(join(folder, CACHE_FORMAT));
  let [bytes, kept] = [0, 0];
  for (const entry of entries.sort((a, b) => b.used - a.used)) {
    const age = clock.now() - entry.used;
    // A machine whose clock was ahead must not have the last word for long.
    if (age > limits.maxAgeMs || age < -DAY_MS || bytes + entry.bytes > limits.maxBytes) {
      await rm(entry.path, { force: true });
    } else {
      bytes += entry.bytes;
      kept += 1;
    }
  }
  return { removed: entries.length - kept, kept, bytes };
}

/** As `pruneCache`, at most once a day; never fails, since a cache that stays too large harms nobody. */
export async function tidyCache(folder: string, clock: Clock): Promise<void> {
  const marker = join(folder, 'pruned');
  const last = await lstat(marker).catch(() => null);
  if (last !== null && Math.abs(clock.now() - last.mtimeMs) < DAY_MS) {
    return;
  }
  try {
    await makeFolder(folder, 0o700);
    await mark(marker, new Date(clock.now()));
    if (last !== null) {
      await pruneCache(folder, clock, PRUNE_LIMITS);
    }
  } catch {
    // A folder that cannot be written was told of when an entry was to be kept.
  }
}

async function mark(path: string, time: Date): Promise<void> {
  const file = await openKept(path, 'mark');
  try {
    await file.utimes(time, time);
  } finally {
    await file.close();
  }
}

/** The names that entries have, and what their writing leaves when it is broken off: the folder may be one in which somebody has other files. */
const SHELF = /^[0-9a-f]{2}$/;
const ENTRY = /^[0-9a-f]{38}(\.[0-9a-f]+)?$/;

async function entriesOf(folder: string): Promise<Entry[]> {
  const shelves = await readdir(folder).catch(() => []);
  const entries: Entry[] = [];
  for (const shelf of shelves.filter((name) => SHELF.test(name))) {
    for (const name of await readdir(join(folder, shelf)).catch(() => [])) {
      const path = join(folder, shelf, name);
      const found = ENTRY.test(name) ? await lstat(path).catch(() => null) : null;
      if (found?.isDirectory() === false) {
        entries.push({ path, bytes: found.size, used: found.mtimeMs });
      }
    }
  }
  return entries;
}
