import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CACHE_FORMAT } from './cache-files.ts';
import { openRegularFile } from './atomic-file.ts';
import type { Clock } from '../network/clock.ts';
import { makeFolder } from '../files/make-folder.ts';
import { refuseLinks } from '../files/refuse-links.ts';

/** Limits of the cache; the most recently used entries stay. */
interface PruneLimits {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

/** The result of pruning. */
export interface Pruned {
  readonly removed: number;
  readonly kept: number;
  readonly bytes: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Ten thousand zones take about half of `maxBytes`. */
export const PRUNE_LIMITS: PruneLimits = { maxAgeMs: 30 * DAY_MS, maxBytes: 256 * 1024 * 1024 };

interface Entry {
  readonly path: string;
  readonly bytes: number;
  readonly used: number;
}

/**
 * Removes expired entries, and the least recently used ones beyond the size limit. A concurrent run takes a removed entry for a cache miss.
 */
export async function pruneCache(folder: string, clock: Clock, limits: PruneLimits): Promise<Pruned> {
  await refuseLinks(join(folder, CACHE_FORMAT));
  const entries = await entriesOf(join(folder, CACHE_FORMAT));
  let [bytes, kept] = [0, 0];
  for (const entry of entries.sort((a, b) => b.used - a.used)) {
    const age = clock.now() - entry.used;
    // An entry from the future was written by a machine whose clock was ahead.
    if (age > limits.maxAgeMs || age < -DAY_MS || bytes + entry.bytes > limits.maxBytes) {
      await rm(entry.path, { force: true });
    } else {
      bytes += entry.bytes;
      kept += 1;
    }
  }
  return { removed: entries.length - kept, kept, bytes };
}

/** Calls `pruneCache` at most once a day. Errors are ignored, because the run does not depend on pruning. */
export async function pruneCacheDaily(folder: string, clock: Clock): Promise<void> {
  const marker = join(folder, 'pruned');
  const last = await lstat(marker).catch(() => null);
  if (last !== null && Math.abs(clock.now() - last.mtimeMs) < DAY_MS) {
    return;
  }
  try {
    await makeFolder(folder, 0o700);
    await touch(marker, new Date(clock.now()));
    if (last !== null) {
      await pruneCache(folder, clock, PRUNE_LIMITS);
    }
  } catch {
    // A folder that cannot be written was reported when an entry was stored.
  }
}

async function touch(path: string, time: Date): Promise<void> {
  const file = await openRegularFile(path, 'touch');
  try {
    await file.utimes(time, time);
  } finally {
    await file.close();
  }
}

/** The names of entries and of their temporary files. Other files in the folder are left alone. */
const DIRECTORY = /^[0-9a-f]{2}$/;
const ENTRY = /^[0-9a-f]{38}(\.[0-9a-f]+)?$/;

async function entriesOf(folder: string): Promise<Entry[]> {
  const directories = await readdir(folder).catch(() => []);
  const entries: Entry[] = [];
  for (const directory of directories.filter((name) => DIRECTORY.test(name))) {
    for (const name of await readdir(join(folder, directory)).catch(() => [])) {
      const path = join(folder, directory, name);
      const found = ENTRY.test(name) ? await lstat(path).catch(() => null) : null;
      if (found?.isDirectory() === false) {
        entries.push({ path, bytes: found.size, used: found.mtimeMs });
      }
    }
  }
  return entries;
}
