import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../src/apply/index.ts';
import { openJournal, readLastRun } from '../../src/apply/index.ts';
import { readUnfinishedRetirement } from '../../src/legacy/retire.ts';
import { id } from '../plan/build.ts';

const APPLY = {
  kind: 'run',
  purpose: 'apply',
  plan: 'digest',
  service: 'https://api.example',
  steps: [],
} as const satisfies JournalEntry;
const LANDED = { kind: 'landed', step: 'one', version: '2' } as const satisfies JournalEntry;
const FAILED = {
  kind: 'failed',
  step: 'one',
  message: 'not today',
  landed: false,
} as const satisfies JournalEntry;

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-retired-'));
  path = join(folder, 'journal.jsonl');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Writes these entries to the journal as a run. */
async function write(run: string, entries: readonly JournalEntry[]): Promise<void> {
  const journal = await openJournal(path, { now: () => 1000, run });
  for (const entry of entries) {
    await journal.record(entry);
  }
  await journal.close();
}

describe('an unfinished retirement', () => {
  const RETIRE = { ...APPLY, purpose: 'retire' } as const satisfies JournalEntry;
  const intent = (step: string): JournalEntry => ({
    kind: 'intent',
    step,
    base: null,
    write: { kind: 'delete-firewall_rule', id: id(7) },
  });
  const [ONE, TWO] = [intent('one'), intent('two')];

  it.each<
    [what: string, entries: readonly JournalEntry[], deleted: readonly string[], inHand: string | null]
  >([
    ['had sent nothing', [], [], null],
    ['had sent one deletion', [ONE], [], 'one'],
    ['had one answered, and sent another', [ONE, LANDED, TWO], ['one'], 'two'],
    [
      'had one answered, and gave an entry point its rules back',
      [
        ONE,
        LANDED,
        {
          kind: 'intent',
          step: 'zone:shop.example/http_ratelimit',
          write: { kind: 'put-ruleset', id: id(3) },
          base: null,
        },
        { ...LANDED, step: 'zone:shop.example/http_ratelimit' },
      ],
      ['one'],
      null,
    ],
    ['had one refused', [ONE, FAILED], [], null],
    ['had one in doubt', [ONE, { ...FAILED, inDoubt: true }], [], 'one'],
  ])('is read with its deletions: it %s', async (_what, entries, deleted, inHand) => {
    await write('one', [RETIRE, ...entries]);
    expect(await readUnfinishedRetirement(path)).toEqual({
      run: 'one',
      at: 1000,
      service: APPLY.service,
      deleted,
      inHand,
    });
  });

  it('does not hide an apply that crashed before it, and is not hidden by a later apply', async () => {
    await write('apply', [APPLY, { kind: 'intent', step: 'a', write: {}, base: null }]);
    await write('retire', [RETIRE, ONE]);
    expect(await readLastRun(path)).toMatchObject({ run: 'apply', end: null });
    await write('next', [APPLY, { kind: 'end', result: 'done' }]);
    expect(await readUnfinishedRetirement(path)).toMatchObject({ inHand: 'one' });
  });

  it('is null if the last retirement has ended, or if there was none', async () => {
    expect(await readUnfinishedRetirement(path)).toBeNull();
    await write('one', [RETIRE, ONE]);
    await write('two', [RETIRE, { kind: 'end', result: 'done' }]);
    expect(await readUnfinishedRetirement(path)).toBeNull();
  });
});
