import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyProject } from './copy-project.ts';

test('copyProject copies the files of a project without what runs left in .rulewright', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rulewright-copy-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const from = join(folder, 'from');
  for (const path of ['zones', '.rulewright']) {
    await mkdir(join(from, path), { recursive: true });
    await writeFile(join(from, path, 'file'), '');
  }
  await copyProject(from, join(folder, 'to'));
  expect(await readdir(join(folder, 'to'), { recursive: true })).toEqual(['zones', join('zones', 'file')]);
});
