import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { cacheCipher, openCacheFiles } from '../../src/live/cache-files.ts';
import type { CacheFiles } from '../../src/live/cache-files.ts';
import {
  PRUNE_LIMITS,
  pruneCache,
  pruneCacheDaily,
  leastRecentlySeen,
  markSeen,
  readSeen,
} from '../../src/live/prune-cache.ts';
import { createFakeClock } from '../fake-clock.ts';

// A cache folder may come from somebody's archive, or hold files that the user already had there.

const DAY_MS = 24 * 60 * 60 * 1000;
const ABOUT = ['ruleset', 'zone', 'one'];

interface Folder {
  readonly folder: string;
  readonly outside: string;
  readonly told: string[];
  readonly files: CacheFiles;
  /** The file of the entry for `ABOUT`. */
  readonly path: string;
}

async function folderWithEntry(): Promise<Folder> {
  const base = await mkdtemp(join(tmpdir(), 'rulewright-cache-'));
  onTestFinished(() => rm(base, { recursive: true }));
  const [folder, outside] = [join(base, 'cache'), join(base, 'outside')];
  await writeFile(outside, 'not of the cache');
  const told: string[] = [];
  const cipher = cacheCipher('https://service.example', { kind: 'token', token: 'token' });
  const open = (): CacheFiles =>
    openCacheFiles({ folder, cipher, clock: createFakeClock(), warn: (problem) => told.push(problem) });
  await open().write(ABOUT, 'text');
  const [shelf = ''] = await readdir(join(folder, 'v1'));
  const [name = ''] = await readdir(join(folder, 'v1', shelf));
  return { folder, outside, told, files: open(), path: join(folder, 'v1', shelf, name) };
}

test('follows no link in place of a cache entry, neither to read nor to write', async () => {
  const { files, path, outside, told } = await folderWithEntry();
  await rm(path);
  await symlink(outside, path);
  expect(await files.read(ABOUT)).toBeNull();
  expect(told).toHaveLength(1);
  await files.write(ABOUT, 'new');
  expect(await readFile(outside, 'utf8')).toBe('not of the cache');
  expect(await files.read(ABOUT)).toBe('new');
});

test.skipIf(process.platform === 'win32')(
  'does not block on a named pipe in place of a cache entry',
  async () => {
    const { files, path, told } = await folderWithEntry();
    await rm(path);
    await promisify(execFile)('mkfifo', [path]);
    expect(await files.read(ABOUT)).toBeNull();
    expect(told).toHaveLength(1);
    await files.write(ABOUT, 'new');
    expect(await files.read(ABOUT)).toBe('new');
  },
);

test('leaves a folder in place of a cache entry alone, and warns about it', async () => {
  const { files, path, told } = await folderWithEntry();
  await rm(path);
  await mkdir(path);
  expect(await files.read(ABOUT)).toBeNull();
  await files.write(ABOUT, 'new');
  await files.remove(ABOUT);
  expect(told).toHaveLength(1);
  expect((await stat(path)).isDirectory()).toBe(true);
});

test('leaves no temporary file behind when a write fails', async () => {
  const { files, path } = await folderWithEntry();
  await rm(path);
  await mkdir(path);
  await files.write(ABOUT, 'new');
  expect(await readdir(join(path, '..'))).toHaveLength(1);
});

test('prunes entries and leftover temporary files, but no files of others', async () => {
  const { folder, path } = await folderWithEntry();
  const foreign = ['v1/users/openapi.json', 'v1/ab/notes.txt', 'pruned'].map((name) => join(folder, name));
  for (const file of [...foreign, `${path}.0123456789abcdef`]) {
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, 'mine');
    await utimes(file, new Date(0), new Date(0));
  }
  const clock = createFakeClock(Date.now());
  expect(await pruneCache(folder, clock, { maxAgeMs: -1, maxBytes: 0 })).toEqual({
    removed: 2,
    kept: 0,
    bytes: 0,
  });
  await pruneCacheDaily(folder, clock);
  expect(await Promise.all(foreign.map((file) => readFile(file, 'utf8')))).toEqual(['mine', 'mine', 'mine']);
});

test('does not write through a link in place of the daily prune marker', async () => {
  const { folder, outside } = await folderWithEntry();
  const clock = createFakeClock(Date.now());
  await pruneCacheDaily(folder, clock);
  const names = await readdir(folder, { recursive: true });
  const marker = join(folder, names.find((name) => name.endsWith('pruned')) ?? '');
  await rm(marker);
  await symlink(outside, marker);
  await pruneCacheDaily(folder, clock);
  expect(await readFile(outside, 'utf8')).toBe('not of the cache');
});

test('prunes daily even if an earlier run had a clock far ahead', async () => {
  const { folder, path } = await folderWithEntry();
  const ahead = createFakeClock(Date.now() + 1000 * DAY_MS);
  await pruneCacheDaily(folder, ahead);
  await utimes(path, new Date(0), new Date(0));
  await pruneCacheDaily(folder, createFakeClock(Date.now()));
  await expect(stat(path)).rejects.toThrow('ENOENT');
});

test('prunes an entry whose time lies far in the future', async () => {
  const { folder, path } = await folderWithEntry();
  const future = new Date(Date.now() + 1000 * DAY_MS);
  await utimes(path, future, future);
  await pruneCache(folder, createFakeClock(Date.now()), PRUNE_LIMITS);
  await expect(stat(path)).rejects.toThrow('ENOENT');
});

async function emptyFolder(): Promise<string> {
  const base = await mkdtemp(join(tmpdir(), 'rulewright-seen-'));
  onTestFinished(() => rm(base, { recursive: true }));
  return base;
}

test('treats a scope last seen in the future as never seen', async () => {
  const folder = await emptyFolder();
  const now = Date.UTC(2026, 0, 1);
  await markSeen(folder, 'service', { scopes: ['c'], now: now - 2 });
  await markSeen(folder, 'service', { scopes: ['a'], now: now - 1 });
  await markSeen(folder, 'service', { scopes: ['b'], now: now + DAY_MS });
  const seen = await readSeen(folder, 'service', now);
  expect(leastRecentlySeen(['a', 'b', 'c'], seen, (label) => label)).toEqual(['b', 'c', 'a']);
  await markSeen(folder, 'service', { scopes: ['b'], now });
  expect(await readSeen(folder, 'service', now)).toEqual(
    new Map([
      ['a', now - 1],
      ['b', now],
      ['c', now - 2],
    ]),
  );
});

test('loses no scope when concurrent runs mark scopes as seen', async () => {
  const folder = await emptyFolder();
  const scopes = Array.from({ length: 20 }, (_, index) => `zone-${index}.example`);
  await Promise.all(scopes.map((scope) => markSeen(folder, 'service', { scopes: [scope], now: 1 })));
  await markSeen(folder, 'another service', { scopes: ['a'], now: 2 });
  expect(await readSeen(folder, 'service', 2)).toEqual(new Map(scopes.map((scope) => [scope, 1])));
  expect(await readdir(folder)).toHaveLength(1);
});

test('neither reads nor writes through a link in place of a file of seen scopes', async () => {
  const { folder, outside } = await folderWithEntry();
  await writeFile(outside, '{ "formatVersion": 1, "services": { "service": { "b": 1 } } }');
  await symlink(outside, join(folder, 'seen-0123456789abcdef.json'));
  expect(await readSeen(folder, 'service', 1)).toEqual(new Map());
  await markSeen(folder, 'service', { scopes: ['a'], now: 1 });
  expect(await readFile(outside, 'utf8')).toContain('"b"');
  expect(await readSeen(folder, 'service', 1)).toEqual(new Map([['a', 1]]));
});
