import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readLastRun } from '../../../src/apply/journal/read-journal.ts';
import { describeUnfinished, stillLanding } from '../../../src/apply/journal/unfinished-run.ts';
import { list, openLists } from '../lists/list-bench.ts';
import { memoryJournal } from '../run-against-service.ts';

const [BEFORE, AFTER] = [['192.0.2.1'], ['192.0.2.1', '192.0.2.2']] as const;

/** Carries out a change of the list `office`, and returns the entries of its run. */
async function changed() {
  const bench = await openLists({ office: BEFORE });
  const { journal, entries } = memoryJournal();
  const plan = await bench.plan(list(AFTER));
  const undo = async () => bench.apply(await bench.plan(list(BEFORE)));
  await bench.apply(plan, { journal });
  return { bench, entries, undo };
}

/** Reads a journal that ends after the entry of this kind, at `sent` milliseconds since 1970. */
async function crashedAfter(entries: readonly { readonly kind: string }[], kind: string, sent: number) {
  const folder = await mkdtemp(join(tmpdir(), 'rulewright-unfinished-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'journal.jsonl');
  const cut = entries.slice(0, entries.findIndex((entry) => entry.kind === kind) + 1);
  await writeFile(path, cut.map((entry) => `${JSON.stringify({ at: sent, run: 'r', ...entry })}\n`).join(''));
  const run = await readLastRun(path);
  if (run === null) {
    throw new Error('no run');
  }
  return run;
}

test.each([
  ['before it wrote anything', 'run', 'undone', 0, { state: 'not-begun', landed: 0 }],
  ['with a write in hand that landed', 'intent', 'done', 0, { state: 'done', landed: 1 }],
  ['with a write in hand that may still land', 'intent', 'undone', 0, { state: 'in-doubt', landed: 0 }],
  [
    'with a write in hand, and the list is another',
    'intent',
    'undone',
    61_000,
    { state: 'unknown', landed: 0 },
  ],
  ['after its write', 'landed', 'undone', 61_000, { state: 'done', landed: 1 }],
] as const)('a run that crashed %s', async (_, kind, live, later, expected) => {
  const { bench, entries, undo } = await changed();
  if (live === 'undone') {
    await undo();
  }
  const sent = bench.clock.now();
  const run = await crashedAfter(entries, kind, sent);
  const { steps } = await describeUnfinished(run, () => bench.client, sent + later);
  expect(steps).toEqual([{ step: 'account:Example Shop/list:office', writes: 1, ...expected }]);
  expect(stillLanding(run, sent) > 0).toBe(kind === 'intent');
});

test('a damaged record of a step is none', async () => {
  const { bench, entries } = await changed();
  const damaged = entries.map((entry) =>
    entry.kind === 'saved-list' ? { ...entry, list: { id: 'x' } } : entry,
  );
  const run = await crashedAfter(damaged, 'intent', 0);
  expect(run.objects).toMatchObject([{ saved: null }]);
  expect((await describeUnfinished(run, () => bench.client, 0)).steps).toMatchObject([{ state: 'unknown' }]);
});
