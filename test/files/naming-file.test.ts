import { access } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { namingFile } from '../../src/files/write-text.ts';
import { hintForFile } from '../../src/files/refuse-links.ts';

it('namingFile adds the path to an error of the system that names none', async () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { syscall: 'write' });
  await expect(namingFile('zones/a.yaml', () => Promise.reject(full))).rejects.toThrow(
    "ENOSPC: no space left on device, write 'zones/a.yaml'",
  );
});

it('namingFile leaves alone an error that names its file, and one that is not of the system', async () => {
  await expect(namingFile('a', () => access('/nowhere/b'))).rejects.toThrow(/access '\/nowhere\/b'$/u);
  await expect(namingFile('a', () => Promise.reject(new Error('no')))).rejects.toThrow(/^no$/u);
});

it.each([
  ['EACCES', 'this user may not write /rules/a.yaml (EACCES)'],
  ['EROFS', '/rules/a.yaml is on a read-only file system (EROFS)'],
])('namingFile tells of a denied write by the file that was meant: %s', async (code, message) => {
  const made = new Error(`${code}: denied, open '/rules/a.yaml.123'`);
  const denied = Object.assign(made, { code, syscall: 'open', path: '/rules/a.yaml.123' });
  const error = await namingFile('/rules/a.yaml', () => Promise.reject(denied)).catch((one: unknown) => one);
  expect(error).toMatchObject({ message, code, syscall: 'open', path: '/rules/a.yaml' });
  expect(hintForFile(error)).toBe('let this user write in /rules, or work in another folder');
});

it('namingFile returns what the write returns', async () => {
  expect(await namingFile('a', () => Promise.resolve(1))).toBe(1);
});
