import { mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyExample } from '../copy-project.ts';
import { rulewright } from './in-process.ts';

const SHARDS = ['1/3', '2/3', '3/3'];
let folder = '';

const at = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
const run = (...words: readonly string[]) => rulewright(words, { cwd: folder });

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-merge-')));
  await copyExample('shop', folder);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a command for each shard, with the number of the shard for `I`, and returns the files that it writes. */
async function shards(...words: readonly string[]): Promise<readonly string[]> {
  const seen: string[] = [];
  for (const shard of SHARDS) {
    const index = shard.slice(0, 1);
    const file = words.find((word) => word.includes('I.')) ?? '';
    const { code, stderr } = await run(
      ...words.map((word) => word.replace('I.', `${index}.`)),
      '--emulator',
      '--shard',
      shard,
    );
    expect([[0, 2], stderr]).toEqual([expect.arrayContaining([code]), expect.any(String)]);
    seen.push(file.replace('I.', `${index}.`));
  }
  return seen;
}

describe('shards', () => {
  it('merge makes the same plan and drift report as a run without shards', async () => {
    const plans = await shards('plan', '--out', 'I.json');
    await run('plan', '--emulator', '--out', 'whole.json');
    const merged = await run('merge', ...plans, '--out', 'merged.json', '--exit-code');
    expect([merged.code, await at('merged.json')]).toEqual([2, await at('whole.json')]);
    await run('merge', ...plans, '--report', 'html=merged.html', '--report', 'json=reported.json');
    expect(await at('reported.json')).toBe(await at('whole.json'));
    expect(await at('merged.html')).toMatch(/^<!doctype html>/iu);
    const drifts = await shards('drift', '--format', 'json', '--output', 'drift-I.json');
    const drift = await run('merge', ...drifts, '--format', 'json');
    const whole = await run('drift', '--emulator', '--format', 'json');
    expect([drift.code, drift.stdout]).toEqual([whole.code, whole.stdout]);
  });

  it('merge makes a plan of which each shard applies its part, and one journal of their runs', async () => {
    const plans = await shards('plan', '--out', 'I.json');
    await run('merge', ...plans, '--out', 'merged.json');
    // The guards judged the whole plan in the review, so no shard needs --allow.
    await shards('apply', '--yes', '--expect', 'merged.json', '--journal', 'I.jsonl');
    const after = await run('plan', '--emulator', '--exit-code');
    expect([after.code, after.stdout]).toEqual([0, expect.stringContaining('No changes')]);
    const journals = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
    const merged = await run('merge', ...journals, '--out', 'all.jsonl');
    expect([merged.code, merged.stderr]).toEqual([
      0,
      `wrote all.jsonl: ${journals.length} runs, all finished\n`,
    ]);
    // A merged journal without its last entry is one of a crashed run, which apply reports.
    const lines = (await at('all.jsonl')).trim().split('\n').slice(0, -1);
    await writeFile(join(folder, 'crashed.jsonl'), `${lines.join('\n')}\n`);
    const resumed = await run('apply', '--emulator', '--yes', '--journal', 'crashed.jsonl');
    expect(resumed.stderr).toContain('An earlier apply did not finish.');
    expect(resumed.code).toBe(0);
  });

  it('merge makes a plan that has nothing left to do once each shard has applied its own plan', async () => {
    const plans = await shards('plan', '--out', 'I.json');
    await run('merge', ...plans, '--out', 'merged.json');
    const guarded = await run('apply', 'merged.json', '--emulator', '--yes');
    expect([guarded.code, guarded.stderr]).toEqual([
      3,
      expect.stringContaining('Refused by the guard `changed`'),
    ]);
    const words = ['--emulator', '--yes', '--allow', 'all', '--quiet'];
    const [first = '', ...others] = plans;
    await run('apply', first, ...words);
    expect((await run('apply', 'merged.json', '--emulator', '--yes')).code).toBe(3);
    for (const plan of others) {
      await run('apply', plan, ...words);
    }
    const again = await run('apply', 'merged.json', '--emulator', '--yes');
    expect([again.code, again.stdout]).toEqual([
      0,
      'Nothing is left to do: live already matches this plan.\n',
    ]);
    const json = await run('apply', 'merged.json', '--emulator', '--yes', '--format', 'json');
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([
      0,
      { result: 'nothing-to-do', outcomes: [] },
    ]);
  });

  it('merge refuses files that do not belong together, and says why', async () => {
    const [first = '', second = ''] = await shards('plan', '--out', 'I.json');
    await run('plan', '--emulator', '--out', 'whole.json');
    await writeFile(join(folder, 'notes.txt'), 'hello\n');
    const text = await at(first);
    await writeFile(join(folder, 'edited.json'), text.replace('"index": 1', '"index": 2'));
    const said = async (...files: readonly string[]) => {
      const { code, stderr } = await run('merge', ...files);
      return [code, stderr.split('\n').slice(0, 2).join('\n').trimEnd()];
    };
    expect(await said(first, second)).toEqual([1, 'error merge/refused\n  shard 3/3 is missing']);
    expect(await said('whole.json')).toEqual([
      1,
      'error merge/refused\n  whole.json is not a shard: it was made without --shard',
    ]);
    expect(await said('notes.txt')).toEqual([
      1,
      'error merge/unreadable\n  notes.txt is not a plan, drift report or journal',
    ]);
    await run('drift', '--emulator', '--format', 'json', '--output', 'failed.json', '--shards', '1/3');
    expect(await said('failed.json')).toEqual([
      1,
      'error merge/unreadable\n  failed.json tells of a shard that failed: there is no flag --shards; did you',
    ]);
    await writeFile(join(folder, 'cut.json'), text.slice(0, 500));
    expect(await said(second, 'cut.json')).toEqual([1, 'error merge/unreadable\n  cut.json is not whole']);
    const drift = ['drift', '--emulator', '--format', 'json', '--output'];
    await run(...drift, 'files.json', '--shard', '1/2');
    await run(...drift, 'everything.json', '--shard', '2/2', '--unmanaged');
    expect(await said('files.json', 'everything.json')).toEqual([
      1,
      'error merge/refused\n  everything.json and files.json were made from other files, settings or',
    ]);
    expect((await said('edited.json')).join(' ')).toContain('it was changed after it was made');
    expect((await said('none.json')).join(' ')).toContain('none.json does not exist');
    const partial = await run('merge', first, second, '--partial');
    expect([partial.code, partial.stderr]).toEqual([1, 'Not the whole run: 1 shard missing: 3\n']);
  });

  it('merge --partial leaves failed shards out, reports why each failed, and exits with 1', async () => {
    const [first = '', second = ''] = await shards('plan', '--out', 'I.json');
    await run('plan', '--emulator', '--format', 'json', '--output', 'failed.json', '--shards', '3/3');
    const partial = await run('merge', first, 'failed.json', second, '--partial', '--out', 'part.json');
    expect([partial.code, partial.stderr.split('\n')]).toEqual([
      1,
      [
        expect.stringMatching(/^failed\.json tells of a shard that failed: there is no flag --shards/u),
        'saved the plan of the whole run: part.json',
        'Not the whole run: 1 shard missing: 3',
        '',
      ],
    ]);
    // A failed shard counts even if no part is missing.
    const all = await shards('plan', '--out', 'I.json');
    expect((await run('merge', ...all, 'failed.json', '--partial')).code).toBe(1);
    await run('apply', '--emulator', '--yes', '--allow', 'all', '--journal', 'journal.jsonl');
    const journals = ['merge', 'journal.jsonl', 'failed.json', '--partial', '--out', 'all.jsonl'];
    expect((await run(...journals)).code).toBe(1);
    const none = await run('merge', 'failed.json', '--partial');
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('error merge/unreadable')]);
  });

  it.each([
    [['--shard', '0/3'], 'expected I/N with 1 ≤ I ≤ N ≤ 256'],
    [['--shard', '4/3'], 'expected I/N with 1 ≤ I ≤ N ≤ 256'],
    [['--own-budget'], '--own-budget is about a shard'],
  ])('plan refuses wrong shard flags as wrong usage: %j', async (words, problem) => {
    const { code, stderr } = await run('plan', '--emulator', ...words);
    expect([code, stderr]).toEqual([64, expect.stringContaining(problem)]);
  });

  it('apply refuses --shard with a saved plan', async () => {
    await run('plan', '--emulator', '--out', 'whole.json');
    const { code, stderr } = await run('apply', 'whole.json', '--emulator', '--shard', '1/3');
    expect([code, stderr]).toEqual([64, expect.stringContaining('leave out --shard')]);
  });
});
