import { access } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { namingFile } from '../../src/files/write-text.ts';

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

it('namingFile returns what the write returns', async () => {
  expect(await namingFile('a', () => Promise.resolve(1))).toBe(1);
});
