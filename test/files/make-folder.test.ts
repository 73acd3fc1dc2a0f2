import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder } from '../../src/files/make-folder.ts';

let root = '';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'rulewright-folder-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

it('makes what is missing, also twice at once', async () => {
  const folder = join(root, 'a', 'b', 'c');
  await Promise.all([makeFolder(folder), makeFolder(folder)]);
  await makeFolder(folder);
  expect((await stat(folder)).isDirectory()).toBe(true);
});

it('makes that of the project whole, whoever else makes it at the same moment', async () => {
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

it('rejects below what is no folder, and ends', async () => {
  await writeFile(join(root, 'file'), '');
  await expect(makeFolder(join(root, 'file', 'x', 'y'))).rejects.toThrow(/ENOTDIR/);
});

it('keeps what it makes for the project itself out of Git, and leaves one alone that is there', async () => {
  await makeFolder(join(root, '.rulewright', 'cache', 'x'));
  expect(await readFile(join(root, '.rulewright', '.gitignore'), 'utf8')).toBe('*\n');
  await rm(join(root, '.rulewright', '.gitignore'));
  await makeFolder(join(root, '.rulewright', 'waf'));
  await expect(stat(join(root, '.rulewright', '.gitignore'))).rejects.toThrow('ENOENT');
});
