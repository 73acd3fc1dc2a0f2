import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import type { Clock } from '../network/index.ts';
import { makeFolder, refuseLinks, isMissing } from '../files/index.ts';
import { isJsonObject, parsedJson } from '../data/index.ts';
import { CACHE_FORMAT, openRegularFile, readRegularFile, replaceFile } from './cache-files.ts';

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

interface CachedFile {
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

async function entriesOf(folder: string): Promise<CachedFile[]> {
  const directories = await readdir(folder).catch(() => []);
  const entries: CachedFile[] = [];
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

// Each run writes a new file with the merged content, then removes the files that it merged. Files are immutable, so concurrent runs
// lose nothing: each leaves a file, and readers merge all of them.

/** When each scope was last read or tried, by label, in milliseconds. */
export type SeenScopes = ReadonlyMap<string, number>;

/** The size of a file with a million scopes. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads when the scopes of a service were last read. Invalid files are skipped, and so are times after `now`: a machine whose clock was
 * ahead would otherwise put a scope behind all others for years.
 */
export async function readSeen(folder: string, service: string, now: number): Promise<SeenScopes> {
  const { services } = await readServices(folder, now);
  return services.get(service) ?? new Map();
}

/** Records in a folder that scopes were read or tried now. Rejects when nothing can be written there. */
export async function markSeen(
  folder: string,
  service: string,
  { scopes, now }: { readonly scopes: Iterable<string>; readonly now: number },
): Promise<void> {
  const { files, services } = await readServices(folder, now);
  services.set(
    service,
    new Map([...(services.get(service) ?? []), ...[...scopes].map((label) => [label, now] as const)]),
  );
  const written = Object.fromEntries([...services].map(([name, known]) => [name, Object.fromEntries(known)]));
  const file = `seen-${randomBytes(8).toString('hex')}.json`;
  await makeFolder(folder, 0o700);
  await replaceFile(join(folder, file), `${JSON.stringify({ formatVersion: 1, services: written })}\n`);
  for (const old of files) {
    await rm(join(folder, old), { force: true });
  }
}

/** Sorts items by the time their scope was last read, longest ago first; those never read come before all others. */
export function leastRecentlySeen<Item>(
  items: readonly Item[],
  seen: SeenScopes,
  label: (item: Item) => string,
): readonly Item[] {
  const at = (item: Item): number => seen.get(label(item)) ?? 0;
  return [...items].sort((a, b) => at(a) - at(b));
}

/** The merged content of the files, by service. */
interface SeenServices {
  readonly files: readonly string[];
  readonly services: Map<string, Map<string, number>>;
}

const NAME = /^seen-[0-9a-f]{16}\.json$/;

/**
 * The maximum number of times that the folder is listed, which is repeated when a concurrent run replaces a file between listing and
 * reading.
 */
const MAX_LISTINGS = 10;

async function readServices(folder: string, now: number, listings = 1): Promise<SeenServices> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => NAME.test(name));
  const services: SeenServices['services'] = new Map();
  for (const file of files) {
    try {
      addFile(services, String(await readRegularFile(join(folder, file), MAX_BYTES)), now);
    } catch (error) {
      if (isMissing(error) && listings < MAX_LISTINGS) {
        return readServices(folder, now, listings + 1);
      }
    }
  }
  return { files, services };
}

/** Merges a file; the later time of a scope wins. */
function addFile(services: SeenServices['services'], text: string, now: number): void {
  const content = parsedJson(text);
  if (!isJsonObject(content) || content['formatVersion'] !== 1 || !isJsonObject(content['services'])) {
    return;
  }
  for (const [service, said] of Object.entries(content['services'])) {
    const scopes = services.get(service) ?? new Map<string, number>();
    services.set(service, scopes);
    for (const [label, at] of isJsonObject(said) ? Object.entries(said) : []) {
      if (typeof at === 'number' && at <= now) {
        scopes.set(label, Math.max(at, scopes.get(label) ?? at));
      }
    }
  }
}
