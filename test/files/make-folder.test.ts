import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder } from '../../src/files/write-text.ts';

let root = '';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'rulewright-folder-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

it('makeFolder creates all missing folders, also if called twice at once', async () => {
  const folder = join(root, 'a', 'b', 'c');
  await Promise.all([makeFolder(folder), makeFolder(folder)]);
  await makeFolder(folder);
  expect((await stat(folder)).isDirectory()).toBe(true);
});

it('makeFolder returns only when .rulewright has its .gitignore, also if many calls create it at once', async () => {
  const own = join(root, '.rulewright');
  const made = await Promise.all(
    Array.from({ length: 20 }, async () => {
      await makeFolder(own);
      return readFile(join(own, '.gitignore'), 'utf8');
    }),
  );
  expect(new Set(made)).toEqual(new Set(['*\n']));
  expect(await readdir(root)).toEqual(['.rulewright']);
});

it('makeFolder rejects a path below a file', async () => {
  await writeFile(join(root, 'file'), '');
  await expect(makeFolder(join(root, 'file', 'x', 'y'))).rejects.toThrow(/ENOTDIR/);
});

it('makeFolder adds a .gitignore to a new .rulewright, but not to one that exists', async () => {
  await makeFolder(join(root, '.rulewright', 'cache', 'x'));
  expect(await readFile(join(root, '.rulewright', '.gitignore'), 'utf8')).toBe('*\n');
  await rm(join(root, '.rulewright', '.gitignore'));
  await makeFolder(join(root, '.rulewright', 'waf'));
  await expect(stat(join(root, '.rulewright', '.gitignore'))).rejects.toThrow('ENOENT');
});

it.skipIf(process.platform === 'win32')(
  'makeFolder gives its mode to .rulewright and what is below, and not to the project folder above',
  async () => {
    await makeFolder(join(root, 'a', '.rulewright', 'cache'), 0o700);
    const modeOf = async (...path: readonly string[]) => (await stat(join(root, ...path))).mode & 0o777;
    const ordinary = 0o777 & ~process.umask();
    expect(await modeOf('a')).toBe(ordinary);
    expect(await modeOf('a', '.rulewright')).toBe(0o700);
    expect(await modeOf('a', '.rulewright', 'cache')).toBe(0o700);
  },
);
