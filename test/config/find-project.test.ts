import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findProject } from '../../src/config/project/find-project.ts';

test('findProject fails for a project file that cannot be read, instead of taking that of a folder above', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-find-')));
  onTestFinished(() => rm(root, { recursive: true }));
  const inner = join(root, 'inner');
  await mkdir(inner);
  await writeFile(join(root, 'rulewright.yaml'), 'version: 1\n');
  expect(await findProject({ cwd: inner })).toMatchObject({ kind: 'found', root });
  await symlink('rulewright.yaml', join(inner, 'rulewright.yaml'));
  await expect(findProject({ cwd: inner })).rejects.toMatchObject({ code: 'ELOOP' });
});

test.each([
  ['account:Example Shop', '--target "account:Example Shop"'],
  ['zone:shop.example', '--target zone:shop.example'],
])('findProject says how to choose a scope that stands in the place of a path: %s', async (named, hint) => {
  const found = await findProject({ cwd: tmpdir(), paths: [named] });
  expect(found).toMatchObject({
    kind: 'not-found',
    diagnostics: [
      { message: expect.stringContaining('there is no file or folder'), hint: expect.stringContaining(hint) },
    ],
  });
});
