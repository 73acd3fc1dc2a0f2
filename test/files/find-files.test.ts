import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FoundFiles } from '../../src/files/find-files.ts';
import { findFiles } from '../../src/files/find-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-find-'));
  await mkdir(join(folder, 'zones', 'in'), { recursive: true });
  await mkdir(join(folder, 'far'));
  await writeFile(join(folder, 'zones', 'a.yaml'), '');
  await writeFile(join(folder, 'zones', 'in', 'b.yaml'), '');
  await symlink('a.yaml', join(folder, 'zones', 'linked.yaml'));
  await symlink('../gone.yaml', join(folder, 'zones', 'gone.yaml'));
  await symlink('round.yaml', join(folder, 'zones', 'round.yaml'));
  // As an editor leaves it beside a file with unsaved changes.
  await symlink('user@host.1234', join(folder, 'zones', '.#a.yaml'));
  await symlink('nowhere', join(folder, 'zones', 'notes.txt'));
});
// A path longer than the system takes can be removed only step by step.
afterAll(() => {
  execFileSync('rm', ['-rf', folder]);
});

function find(pattern: string): Promise<FoundFiles> {
  return findFiles({ patterns: [pattern], cwd: folder, expandDirectories: false });
}

describe('files by pattern', () => {
  it('tells links that lead nowhere, if their own names match', async () => {
    expect(await find('zones/*.yaml')).toEqual({
      files: ['zones/a.yaml', 'zones/linked.yaml'],
      unread: [
        { path: 'zones/gone.yaml', reason: 'is a link that leads nowhere' },
        { path: 'zones/round.yaml', reason: 'is a link that leads nowhere' },
      ],
    });
    expect(await find('zones/in/*.yaml')).toEqual({ files: ['zones/in/b.yaml'], unread: [] });
  });

  it('has nothing to tell of a folder that is not there', async () => {
    expect(await find('other/**/*.yaml')).toEqual({ files: [], unread: [] });
  });

  it('tells a folder that cannot be read', async () => {
    // Deeper than a path may be long: no user can read it by its path, not even root.
    const name = 'x'.repeat(200);
    const deeper = 'for i in $(seq 25); do mkdir "$1" && cd -P "$1" || exit 1; done';
    execFileSync('sh', ['-c', deeper, 'sh', name], { cwd: join(folder, 'far') });
    const { files, unread } = await find('far/**/*.yaml');
    expect(files).toEqual([]);
    expect(unread).toHaveLength(1);
    expect(unread[0]?.path).toMatch(/^far\/x{200}\//u);
    expect(unread[0]?.reason).toMatch(/^cannot be read: ENAMETOOLONG/u);
  });
});
