import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pid } from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { holdJournal } from '../../src/apply/journal/hold-journal.ts';
import { writeBlogProject } from './blog-project.ts';
import type { Ended, Setting } from './in-process.ts';
import { rulewright } from './in-process.ts';

// Two runs with one journal could write the same rulesets, and each would take the other for a crashed run.

async function project() {
  const cwd = await mkdtemp(join(tmpdir(), 'rulewright-running-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  await writeBlogProject(cwd);
  const run = (command: string, setting: Setting = {}): Promise<Ended> =>
    rulewright([...command.split(' '), '--emulator'], { cwd, ...setting });
  return { cwd, run, folder: join(cwd, '.rulewright') };
}

test.each([
  ['apply --yes', 'journal.jsonl'],
  ['apply --yes --journal own.jsonl', '../own.jsonl'],
  ['rollback zone:blog.example http_request_firewall_custom --to 1 --yes', 'journal.jsonl'],
  ['waf validate blog.example --yes', 'journal.jsonl'],
  ['firewall retire blog.example --yes', 'retired.jsonl'],
])('%s is refused while another run holds the journal', async (command, journal) => {
  const { run, folder } = await project();
  const other = await holdJournal(join(folder, journal), () => Date.UTC(2026, 0, 1));
  const { code, stdout, stderr } = await run(`${command} --format json`);
  expect([code, JSON.parse(stdout)]).toMatchObject([3, { error: { code: 'apply/running' } }]);
  const told = stderr.replaceAll(/\s+/gu, ' ');
  expect(told).toContain(`another run (process ${pid} on `);
  expect(told).toContain('since 2026-01-01 00:00:00 UTC) is using the journal');
  expect(told).not.toContain('crashed');
  expect(other.kind === 'held' ? await other.release() : other).toBe(undefined);
});

test('a dry run works while another run holds the journal, and a finished run leaves no lock', async () => {
  const { run, folder } = await project();
  const other = await holdJournal(join(folder, 'journal.jsonl'), () => 1000);
  expect((await run('apply --dry-run')).code).toBe(0);
  expect(other.kind === 'held' ? await other.release() : other).toBe(undefined);
  expect((await run('apply')).code).toBe(3);
  expect((await run('apply --yes')).code).toBe(0);
  expect((await readdir(folder)).filter((name) => name.includes('.lock'))).toEqual([]);
});

test('apply writes nothing when another run took over the journal during the question', async () => {
  const { run, folder } = await project();
  const lock = join(folder, 'journal.jsonl.lock');
  const { code, stderr, questions } = await run('apply', {
    answer: async () => {
      await writeFile(lock, 'of another run');
      return true;
    },
  });
  expect([code, questions]).toEqual([1, [expect.stringContaining('Apply this plan')]]);
  expect(stderr.replaceAll(/\s+/gu, ' ')).toContain('this run no longer has the journal');
  expect(await readdir(folder)).not.toContain('journal.jsonl');
  expect(await readFile(lock, 'utf8')).toBe('of another run');
  expect((await run('plan')).stdout).toContain('no-xmlrpc');
});
