import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { holdJournal } from '../../src/apply/journal/hold-journal.ts';
import { openJournal } from '../../src/apply/journal/journal.ts';
import { readLastRun } from '../../src/apply/journal/read-journal.ts';
import { writeEditorSchemas } from '../../src/app/project/editor-schemas.ts';
import { writeOutput } from '../../src/app/project/write-output.ts';
import { openStateFile } from '../../src/emulator/store/state-file.ts';
import { holdFile } from '../../src/files/lock-file.ts';
import { refuseLinks } from '../../src/files/refuse-links.ts';
import { PRUNE_LIMITS, pruneCache, markSeen } from '../../src/live/prune-cache.ts';
import { createFakeClock } from '../fake-clock.ts';

/** A project whose `.rulewright`, or one path in it, is a link to something outside. */
async function projectWithLink(
  at: string,
  to: 'folder' | 'file',
): Promise<{ root: string; outside: string }> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-links-')));
  onTestFinished(() => rm(base, { recursive: true }));
  const [root, outside] = [join(base, 'project'), join(base, 'outside')];
  await mkdir(outside);
  await mkdir(join(root, at, '..'), { recursive: true });
  await writeFile(join(outside, 'file'), '');
  await symlink(to === 'file' ? join(outside, 'file') : outside, join(root, at));
  return { root, outside };
}

const OWN = '.rulewright';
const clock = createFakeClock();

describe('a symbolic link in .rulewright', () => {
  it.each<
    [what: string, at: string, to: 'folder' | 'file', act: (own: string, root: string) => Promise<unknown>]
  >([
    [
      'journal',
      `${OWN}/journal.jsonl`,
      'file',
      (own) => openJournal(join(own, 'journal.jsonl'), { now: () => 1, run: 'a' }),
    ],
    [
      'journal that is read',
      `${OWN}/journal.jsonl`,
      'file',
      (own) => readLastRun(join(own, 'journal.jsonl')),
    ],
    ['state', `${OWN}/emulator.json`, 'file', (own) => openStateFile(join(own, 'emulator.json'))],
    ['schema', `${OWN}/schemas/zone.schema.json`, 'file', (_own, root) => writeEditorSchemas(root)],
    ['snapshot', `${OWN}/waf/a.json`, 'file', (own) => writeOutput({ cwd: own, path: 'waf/a.json' }, 'text')],
    ['folder of schemas', `${OWN}/schemas`, 'folder', (_own, root) => writeEditorSchemas(root)],
    [
      'folder of the cache, noted',
      `${OWN}/cache`,
      'folder',
      (own) => markSeen(join(own, 'cache'), 's', { scopes: ['z'], now: 1 }),
    ],
    [
      'folder of the cache, pruned',
      `${OWN}/cache`,
      'folder',
      (own) => pruneCache(join(own, 'cache'), clock, PRUNE_LIMITS),
    ],
    [
      'folder itself, with a journal',
      OWN,
      'folder',
      (own) => openJournal(join(own, 'journal.jsonl'), { now: () => 1, run: 'a' }),
    ],
    ['folder itself, with a lock', OWN, 'folder', (own) => holdFile(join(own, 'journal.jsonl'), () => 1)],
    ['folder itself, with a state', OWN, 'folder', (own) => openStateFile(join(own, 'emulator.json'))],
    ['folder itself, with schemas', OWN, 'folder', (_own, root) => writeEditorSchemas(root)],
  ])('is not followed: %s', async (_what, at, to, act) => {
    const { root, outside } = await projectWithLink(at, to);
    await expect(act(join(root, OWN), root)).rejects.toThrow('symbolic link');
    expect(await readdir(outside)).toEqual(['file']);
  });

  it('is named in the hint of whoever meets it, and not permissions', async () => {
    const { root } = await projectWithLink(OWN, 'folder');
    const link = join(root, OWN);
    const journal = join(link, 'journal.jsonl');
    const mended = { hint: `remove the link ${link}, or put what it leads to in its place` };
    await expect(holdJournal(journal, () => 1)).rejects.toMatchObject(mended);
    await expect(readLastRun(journal)).rejects.toMatchObject(mended);
    await expect(writeOutput({ cwd: link, path: 'plan.json' }, 'text')).rejects.toMatchObject(mended);
  });

  it('is the user’s own above the folder, and elsewhere', async () => {
    const { root } = await projectWithLink('linked', 'folder');
    await mkdir(join(root, 'linked', OWN));
    await expect(refuseLinks(join(root, 'linked', OWN, 'journal.jsonl'))).resolves.toBeUndefined();
    await expect(refuseLinks(join(root, 'linked', 'file'))).resolves.toBeUndefined();
  });
});
