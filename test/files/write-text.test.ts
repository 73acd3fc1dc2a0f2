import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeText } from '../../src/files/write-text.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-write-text-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('writeText writes a new file, and keeps the byte order mark of an existing one', async () => {
  const path = join(folder, 'a.yaml');
  await writeText(path, 'a');
  expect(await readFile(path, 'utf8')).toBe('a');
  await writeFile(path, '\u{feff}a');
  await writeText(path, 'b');
  expect(await readFile(path, 'utf8')).toBe('\u{feff}b');
});

test('writeText fails if what is at the path cannot be read', async () => {
  const path = join(folder, 'b.yaml');
  await mkdir(path);
  await expect(writeText(path, 'b')).rejects.toMatchObject({ code: 'EISDIR', syscall: 'read' });
});
