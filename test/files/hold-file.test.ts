import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pid } from 'node:process';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { holdFile, ownIdentity } from '../../src/files/lock-file.ts';
import { fillDisk } from '../full-disk.ts';

let path: string;
let lock: string;
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rulewright-hold-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  path = join(folder, '.rulewright', 'journal.jsonl');
  lock = `${path}.lock`;
  // Creates the folder too.
  await expectHeld(await hold());
});

type Held = Awaited<ReturnType<typeof hold>>;

const hold = () => holdFile(path, () => 1000);

function expectHeld(held: Held): Promise<void> {
  expect(held.kind).toBe('held');
  return held.kind === 'held' ? held.release() : Promise.resolve();
}

/** The content of the lock of a process on this host, or on another one. */
const lockOf = async (process: number, elsewhere = false): Promise<string> => {
  const own = await ownIdentity();
  return JSON.stringify({
    ...own,
    pid: process,
    since: 5,
    ...(elsewhere ? { space: 'another', host: 'far' } : {}),
  });
};

/** The id of a process that has ended. */
const gone = (): number => spawnSync(process.execPath, ['--version']).pid;

async function silentFor(ms: number): Promise<void> {
  const seen = new Date(Date.now() - ms);
  await utimes(lock, seen, seen);
}

describe('holdFile', () => {
  it('gives the file to one holder at a time, and leaves no lock behind', async () => {
    const first = await hold();
    expect(await hold()).toMatchObject({ kind: 'taken', holder: { pid, host: hostname(), since: 1000 } });
    await expectHeld(first);
    await expectHeld(await hold());
    expect(await readdir(join(path, '..'))).toEqual(['.gitignore']);
  });

  it('gives the file to one of many that ask at the same time', async () => {
    await writeFile(lock, await lockOf(gone()));
    const all = await Promise.all(Array.from({ length: 8 }, hold));
    const held = all.filter(({ kind }) => kind === 'held');
    expect(held).toHaveLength(1);
    await Promise.all(held.map(expectHeld));
  });

  it('takes the file at once from a process that has ended', async () => {
    await writeFile(lock, await lockOf(gone()));
    const taken = await hold();
    expect(taken.kind).toBe('held');
    await expectHeld(taken);
  });

  it('leaves the file to a process on another host until it was silent for a minute', async () => {
    await writeFile(lock, await lockOf(gone(), true));
    await silentFor(55_000);
    expect(await hold()).toMatchObject({ kind: 'taken', holder: { host: 'far' } });
    await silentFor(65_000);
    await expectHeld(await hold());
  });

  it('takes the file if the process with the id of the holder began at another time', async () => {
    await writeFile(lock, JSON.stringify({ ...(await ownIdentity()), begun: '1', since: 5 }));
    const taken = await hold();
    expect(taken.kind).toBe('held');
    await expectHeld(taken);
  });

  it('leaves the file to a process that is running, however long it was silent', async () => {
    const first = await hold();
    await silentFor(3_600_000);
    expect((await hold()).kind).toBe('taken');
    await expectHeld(first);
  });

  it('leaves the file to the holder of an empty lock until that was silent for a minute', async () => {
    await writeFile(lock, '');
    expect(await hold()).toEqual({ kind: 'taken', holder: null });
    await silentFor(65_000);
    await expectHeld(await hold());
  });

  it('does not release the lock of another holder that has taken the file meanwhile', async () => {
    const first = await hold();
    await writeFile(lock, await lockOf(1, true));
    await expectHeld(first);
    expect(await hold()).toMatchObject({ kind: 'taken', holder: { host: 'far' } });
  });

  it('leaves no lock behind if the disk is full', async () => {
    const makeRoom = await fillDisk((text) => text.includes('"pid"'));
    await expect(hold()).rejects.toThrow('ENOSPC');
    makeRoom();
    await expectHeld(await hold());
  });

  it('follows no symbolic link', async () => {
    const other = join(path, '..', 'other');
    await writeFile(other, 'mine');
    await symlink(other, lock);
    await expect(hold()).rejects.toThrow(`${lock} is a symbolic link`);
    expect(await readFile(other, 'utf8')).toBe('mine');
  });

  it('fails without waiting if the lock is a pipe, and if it is a folder', async () => {
    spawnSync('mkfifo', [lock]);
    await expect(hold()).rejects.toThrow('ESPIPE');
    await rm(lock);
    await mkdir(lock);
    await expect(hold()).rejects.toThrow('EISDIR');
  });
});
