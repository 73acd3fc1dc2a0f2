import { constants } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readText } from '../../src/files/read-text.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-read-text-'));
  await writeFile(join(folder, 'plan.json'), '{}\n');
});

afterEach(() => rm(folder, { recursive: true }));

it('readText reads a file', async () => {
  expect(await readText(join(folder, 'plan.json'), 'plan.json')).toEqual({ kind: 'text', text: '{}\n' });
});

it('readText refuses a file that is larger than the longest string', async () => {
  await truncate(join(folder, 'plan.json'), constants.MAX_STRING_LENGTH + 1);
  expect(await readText(join(folder, 'plan.json'), 'plan.json')).toEqual({
    kind: 'unread',
    reason: 'is larger than 512 MiB',
  });
});

it('readText removes a byte order mark', async () => {
  await writeFile(join(folder, 'plan.json'), '\uFEFF{}\n');
  expect(await readText(join(folder, 'plan.json'), 'plan.json')).toEqual({ kind: 'text', text: '{}\n' });
});

it('readText refuses a file that is not UTF-8, and names the byte and its place', async () => {
  await writeFile(join(folder, 'plan.json'), Buffer.from('{\n  "a": "caf\u{e9}" }\n', 'latin1'));
  expect(await readText(join(folder, 'plan.json'), 'plan.json')).toEqual({
    kind: 'unread',
    reason: 'is not UTF-8 text: the byte 0xE9 is not UTF-8 (line 2, column 12)',
  });
});

it.skipIf(process.platform === 'win32')('readText refuses a pipe without waiting for it', async () => {
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  expect(await readText(join(folder, 'pipe'), 'pipe')).toEqual({
    kind: 'unread',
    reason: 'is not a regular file: write what it gives into a file first',
  });
});

it('readText says that a folder is a folder', async () => {
  expect(await readText(folder, 'plans')).toMatchObject({
    kind: 'unread',
    reason: 'is a folder, not a file',
  });
});

it('readText suggests a similar name if the file does not exist', async () => {
  expect(await readText(join(folder, 'plon.json'), './plon.json')).toMatchObject({
    kind: 'unread',
    reason: 'does not exist',
    didYouMean: 'did you mean plan.json?',
  });
});
