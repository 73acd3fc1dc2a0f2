import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { holdJournal } from '../../../src/apply/journal/hold-journal.ts';

let folder: string;
let journal: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-hold-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  journal = join(folder, 'journal.jsonl');
});

const hold = () => holdJournal(journal, () => 1000);

describe('holdJournal', () => {
  it('fails if the lock is a folder, and hints at --journal', async () => {
    await mkdir(`${journal}.lock`);
    await expect(hold()).rejects.toMatchObject({
      code: 'apply/journal',
      message: expect.stringContaining('EISDIR'),
      hint: expect.stringContaining('--journal'),
    });
  });

  it('holds a journal that cannot be written, but allows no write', async () => {
    await writeFile(join(folder, 'file'), '');
    journal = join(folder, 'file', 'journal.jsonl');
    const held = await hold();
    expect(held.kind === 'held' && (await held.mayWrite())).toContain('ENOTDIR');
  });
});
