import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../src/apply/journal/journal-entry.ts';
import { openJournal } from '../../../src/apply/journal/journal.ts';
import { mergeJournals } from '../../../src/apply/journal/merge-journals.ts';
import { linesOf, readLastRun } from '../../../src/apply/journal/read-journal.ts';

let folder = '';
let time = 0;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-journals-'));
  time = 0;
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const RUN = 'e'.repeat(64);
const HEX = '0123456789abcdef0123456789abcdef';

function head(index: number, name: string, over: object = {}): JournalEntry {
  return {
    kind: 'run',
    purpose: 'apply',
    plan: 'd'.repeat(64),
    service: 'emulator',
    shard: { index, count: 2, run: RUN },
    steps: [
      {
        step: `zone:${name}/http_ratelimit`,
        scope: { kind: 'zone', id: HEX, name, accountId: HEX },
        target: { kind: 'ruleset', level: 'zone', phase: 'http_ratelimit', name: 'default' },
        base: { kind: 'absent' },
        writes: 1,
      },
    ],
    ...over,
  };
}

async function journal(file: string, entries: readonly JournalEntry[]) {
  const path = join(folder, file);
  const opened = await openJournal(path, { now: () => (time += 1), run: `run of ${file}` });
  for (const entry of entries) {
    await opened.record(entry);
  }
  await opened.close();
  return { file, text: await readFile(path, 'utf8') };
}

const done = (name: string): readonly JournalEntry[] => [
  { kind: 'intent', step: `zone:${name}/http_ratelimit`, write: {}, base: {} },
  { kind: 'landed', step: `zone:${name}/http_ratelimit`, version: '1' },
];
const END: JournalEntry = { kind: 'end', result: 'done' };

async function merged(...journals: readonly Awaited<ReturnType<typeof journal>>[]) {
  const result = mergeJournals(journals);
  const path = join(folder, 'merged.jsonl');
  await writeFile(path, result.kind === 'merged' ? result.text : '');
  return { result, run: await readLastRun(path) };
}

describe('mergeJournals', () => {
  it('makes one run, which has ended if all runs have', async () => {
    const { result, run } = await merged(
      await journal('1.jsonl', [head(1, 'a.example'), ...done('a.example'), END]),
      await journal('2.jsonl', [head(2, 'b.example'), ...done('b.example'), { ...END, result: 'partial' }]),
    );
    expect(result).toMatchObject({ kind: 'merged', runs: 2, unfinished: 0 });
    expect(run).toMatchObject({ end: 'partial', service: 'emulator', at: 1 });
    expect(run?.steps.map(({ step, landed }) => [step, landed])).toEqual([
      ['zone:a.example/http_ratelimit', 1],
      ['zone:b.example/http_ratelimit', 1],
    ]);
  });

  it('makes an unfinished run, with its write under way, if one shard is unfinished', async () => {
    const { result, run } = await merged(
      await journal('1.jsonl', [head(1, 'a.example'), ...done('a.example'), END]),
      await journal('2.jsonl', [head(2, 'b.example'), ...done('b.example').slice(0, 1)]),
    );
    expect(result).toMatchObject({ unfinished: 1 });
    expect(run?.end).toBeNull();
    expect(run?.steps.map(({ inFlight }) => inFlight !== null)).toEqual([false, true]);
  });

  it('keeps the entries of a journal in their order, even if the clock was set back', async () => {
    const first = await journal('1.jsonl', [head(1, 'a.example'), ...done('a.example'), END]);
    time = 0;
    const { text } = await journal('2.jsonl', [head(2, 'b.example')]);
    const lines = done('b.example').map((entry, index) => ({
      ...entry,
      at: 9 - index,
      run: 'run of 2.jsonl',
    }));
    const second = {
      file: '2.jsonl',
      text: `${text}${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
    };
    const { result } = await merged(first, second);
    const steps = result.kind === 'merged' ? linesOf(result.text).slice(1) : [];
    expect(steps.map(({ kind, step }) => [kind, step])).toEqual([
      ['intent', 'zone:a.example/http_ratelimit'],
      ['landed', 'zone:a.example/http_ratelimit'],
      ['intent', 'zone:b.example/http_ratelimit'],
      ['landed', 'zone:b.example/http_ratelimit'],
    ]);
  });

  it('takes the last run of each journal', async () => {
    await journal('1.jsonl', [head(1, 'old.example')]);
    const { run } = await merged(await journal('1.jsonl', [head(1, 'a.example'), END]));
    expect(run?.steps.map(({ step }) => step)).toEqual(['zone:a.example/http_ratelimit']);
  });

  it.each([
    ['the same shard', head(1, 'b.example'), '2.jsonl and 1.jsonl are both about shard 1'],
    [
      'the same step',
      head(2, 'a.example'),
      '2.jsonl and 1.jsonl are both about zone:a.example/http_ratelimit',
    ],
    [
      'another service',
      head(2, 'b.example', { service: 'x' }),
      '2.jsonl and 1.jsonl are about different services',
    ],
    [
      'the way back of one that crashed as well',
      head(2, 'b.example', { purpose: 'rollback' }),
      '2.jsonl and 1.jsonl are not both the way back of a failed run',
    ],
    [
      'another count',
      head(2, 'b.example', { shard: { index: 2, count: 3, run: RUN } }),
      '2.jsonl and 1.jsonl are of runs with another number of shards',
    ],
    [
      'a shard of an earlier run, of other files',
      head(2, 'b.example', { shard: { index: 2, count: 2, run: 'f'.repeat(64) } }),
      '2.jsonl and 1.jsonl are of runs of other files, settings or selections of scopes',
    ],
  ])('refuses %s', async (_name, other, problem) => {
    const { result } = await merged(
      await journal('1.jsonl', [head(1, 'a.example')]),
      await journal('2.jsonl', [other]),
    );
    expect(result).toEqual({ kind: 'refused', problems: [problem] });
  });

  describe('with a shard that failed and rolled back', () => {
    const back = (...end: readonly JournalEntry[]) =>
      journal('2.jsonl', [
        head(2, 'b.example'),
        ...done('b.example'),
        head(2, 'b.example', { purpose: 'rollback' }),
        ...done('b.example'),
        ...end,
      ]);
    const FAILED: JournalEntry = { kind: 'end', result: 'failed' };

    it('makes a run that has ended if all shards have', async () => {
      const there = await journal('1.jsonl', [head(1, 'a.example'), ...done('a.example'), END]);
      const { result, run } = await merged(there, await back(FAILED));
      expect(result).toMatchObject({ kind: 'merged', runs: 2, unfinished: 0 });
      expect(run?.end).toBe('failed');
    });

    it('makes a run of the other shards alone if one of them crashed', async () => {
      const crashed = await journal('1.jsonl', [head(1, 'a.example'), ...done('a.example')]);
      const { result, run } = await merged(crashed, await back(FAILED));
      expect(result).toMatchObject({ kind: 'merged', unfinished: 1 });
      expect(run).toMatchObject({ purpose: 'apply', end: null });
      expect(run?.steps.map(({ step, landed }) => [step, landed])).toEqual([
        ['zone:a.example/http_ratelimit', 1],
      ]);
    });

    it('makes a run of the rollback alone if that crashed', async () => {
      const there = await journal('1.jsonl', [head(1, 'a.example'), ...done('a.example'), END]);
      const { run } = await merged(there, await back());
      expect(run).toMatchObject({ purpose: 'rollback', end: null });
      expect(run?.steps.map(({ step, landed }) => [step, landed])).toEqual([
        ['zone:b.example/http_ratelimit', 1],
      ]);
    });
  });

  it.each(['{"at":1,"run":"x","kind":"landed"}\n', 'no journal at all\n', '{"at":1,"run":"x","ki\n', 'PK'])(
    'refuses a file without a run: %j',
    async (text) => {
      const { result } = await merged(await journal('1.jsonl', [head(1, 'a.example')]), {
        file: 'headless.jsonl',
        text,
      });
      expect(result).toEqual({ kind: 'refused', problems: ['headless.jsonl has no run of apply in it'] });
    },
  );

  it.each([
    '',
    '{"at":1,"run":"x","kind":"ru',
    '{"at":1,"run":"x","kind":"end","result":"refused"}\n',
    '{"at":1,"run":"x","kind":"rollout","state":"begun"}\n{"at":1,"run":"x","kind":"rollout","state":"ended"}\n{"at":1,"run":"x","kind":"end","result":"nothing-to-do"}\n',
  ])('leaves out the journal of a shard that was killed or refused before it began: %j', async (text) => {
    const killed = { file: 'killed.jsonl', text };
    const { result } = await merged(await journal('1.jsonl', [head(1, 'a.example'), END]), killed);
    expect(result).toMatchObject({ kind: 'merged', runs: 1, unfinished: 0, unbegun: ['killed.jsonl'] });
    expect(mergeJournals([killed])).toEqual({
      kind: 'refused',
      problems: ['killed.jsonl has no run of apply in it'],
    });
  });
});
