import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FoundFiles } from '../../src/files/find-files.ts';
import { findFiles, NODE_MODULES } from '../../src/files/find-files.ts';

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
  // An editor leaves such a link beside a file with unsaved changes.
  await symlink('user@host.1234', join(folder, 'zones', '.#a.yaml'));
  await symlink('nowhere', join(folder, 'zones', 'notes.txt'));
});
// `rm` from the system also removes paths that are too long for a single call.
afterAll(() => {
  execFileSync('rm', ['-rf', folder]);
});

function find(pattern: string): Promise<FoundFiles> {
  return findFiles({ patterns: [pattern], cwd: folder, passOver: NODE_MODULES });
}

describe('findFiles', () => {
  it('reports broken links whose own names match', async () => {
    expect(await find('zones/*.yaml')).toEqual({
      files: ['zones/a.yaml'],
      unread: [
        { path: 'zones/gone.yaml', reason: 'is a link that leads nowhere' },
        { path: 'zones/round.yaml', reason: 'is a link that leads nowhere' },
      ],
      outside: [],
    });
    expect(await find('zones/in/*.yaml')).toEqual({ files: ['zones/in/b.yaml'], unread: [], outside: [] });
  });

  it('finds a file once, by its own path rather than that of a link if both match', async () => {
    await mkdir(join(folder, 'ways', 'in'), { recursive: true });
    await writeFile(join(folder, 'ways', 'in', 'c.yaml'), '');
    await symlink('../ways', join(folder, 'ways', 'again'));
    await symlink('in/c.yaml', join(folder, 'ways', 'c.yaml'));
    await symlink('in/c.yaml', join(folder, 'ways', 'b.yaml'));
    expect((await find('ways/**/*.yaml')).files).toEqual(['ways/in/c.yaml']);
    expect((await find('ways/*.yaml')).files).toEqual(['ways/b.yaml']);
  });

  it('reports broken links that would be searched if they were folders', async () => {
    await mkdir(join(folder, 'teams', 'a', '.git'), { recursive: true });
    await symlink('../gone', join(folder, 'teams', 'b'));
    await symlink('nowhere', join(folder, 'teams', 'a', '.#c.yaml'));
    await symlink('nowhere', join(folder, 'teams', 'a', '.git', 'd'));
    const told = {
      files: [],
      unread: [{ path: 'teams/b', reason: 'is a link that leads nowhere' }],
      outside: [],
    };
    expect(await find('teams/**/*.yaml')).toEqual(told);
    expect(await find('teams/*/*.yaml')).toEqual(told);
    expect(await find('teams/a*/*.yaml')).toEqual({ files: [], unread: [], outside: [] });
  });

  it('follows no link out of the folder, and reports those that it meets', async () => {
    await mkdir(join(folder, 'inside', 'zones', 'sub'), { recursive: true });
    for (const link of ['far', 'x.yaml', 'sub/deep', 'notes.txt']) {
      await symlink(
        join(folder, 'zones', link === 'x.yaml' ? 'a.yaml' : 'in'),
        join(folder, 'inside', 'zones', link),
      );
    }
    await symlink('zones/sub', join(folder, 'inside', 'other'));
    const inside = (pattern: string): Promise<FoundFiles> =>
      findFiles({ patterns: [pattern], cwd: join(folder, 'inside'), passOver: NODE_MODULES });
    const none = { files: [], unread: [] };
    expect(await inside('zones/*.yaml')).toEqual({ ...none, outside: ['zones/x.yaml'] });
    expect(await inside('zones/f*/*.yaml')).toEqual({ ...none, outside: ['zones/far'] });
    expect(await inside('zones/far/b.yaml')).toEqual({ ...none, outside: ['zones/far'] });
    // A link that is met on several ways is reported once.
    expect(await inside('{zones,other}/**/*.md')).toEqual({
      ...none,
      outside: ['zones/far', 'zones/notes.txt', 'zones/sub/deep'],
    });
    const wider = {
      patterns: ['zones/**/*.yaml'],
      cwd: join(folder, 'inside'),
      within: folder,
      passOver: NODE_MODULES,
    };
    expect((await findFiles(wider)).files.toSorted()).toEqual(['zones/far/b.yaml', 'zones/x.yaml']);
  });

  it('ends although links lead from folder to folder and back', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `f${10 + index}`);
    for (const name of names) {
      await mkdir(join(folder, 'maze', name), { recursive: true });
      await writeFile(join(folder, 'maze', name, 'a.yaml'), '');
      for (const other of names.filter((one) => one !== name)) {
        await symlink(join('..', other), join(folder, 'maze', name, `to-${other}`));
      }
    }
    const files = names.map((name) => `maze/${name}/a.yaml`);
    expect(await find('maze/**/*.yaml')).toEqual({ files, unread: [], outside: [] });
    expect(await find('maze/f10/to-*/to-*/*.yaml')).toMatchObject({ unread: [], outside: [] });
    expect((await find('maze/f10/to-*/to-*/*.yaml')).files).toHaveLength(names.length);
  });

  it('finds each file behind many links to one folder once, by the first link whose pattern reaches it', async () => {
    await mkdir(join(folder, 'shared', 'in'), { recursive: true });
    await writeFile(join(folder, 'shared', 'a.yaml'), '');
    await writeFile(join(folder, 'shared', 'in', 'b.yaml'), '');
    for (let zone = 10; zone < 40; zone += 1) {
      await mkdir(join(folder, 'many', `z${zone}`), { recursive: true });
      await symlink('../../shared', join(folder, 'many', `z${zone}`, 'common'));
    }
    expect(await find('many/**/*.yaml')).toEqual({
      files: ['many/z10/common/a.yaml', 'many/z10/common/in/b.yaml'],
      unread: [],
      outside: [],
    });
    expect((await find('many/{z10/common,z11/*/*}/*.yaml')).files).toEqual([
      'many/z10/common/a.yaml',
      'many/z11/common/in/b.yaml',
    ]);
  });

  it('finds and reports nothing for a folder that does not exist', async () => {
    expect(await find('other/**/*.yaml')).toEqual({ files: [], unread: [], outside: [] });
  });

  it('reports a folder that cannot be read', async () => {
    // The path is longer than the system allows, so that not even root can read it.
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
