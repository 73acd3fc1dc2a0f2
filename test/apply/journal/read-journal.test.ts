import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJournal } from '../../../src/apply/journal/journal.ts';
import type { JournalEntry } from '../../../src/apply/journal/journal-entry.ts';
import { stepSecrets } from '../../../src/plan/redaction/written-secrets.ts';
import { journalWrite } from '../../../src/apply/journal/journal-entry.ts';
import { readLastRun } from '../../../src/apply/journal/read-journal.ts';
import { HIDDEN } from '../../../src/model/sensitive.ts';
import type { Step } from '../../../src/model/plan.ts';
import type { Write } from '../../../src/plan/requests/writes.ts';
import { id } from '../../plan/build.ts';

const STEP = 'zone:shop.example/http_request_firewall_custom';
const HEAD = {
  kind: 'run',
  purpose: 'apply',
  plan: 'digest',
  service: 'https://api.example',
  steps: [
    {
      step: STEP,
      scope: { kind: 'zone', id: id(1), name: 'shop.example', accountId: id(2) },
      target: { kind: 'ruleset', level: 'zone', phase: 'http_request_firewall_custom', name: 'default' },
      base: { kind: 'absent' },
      writes: 2,
    },
  ],
} as const satisfies JournalEntry;
const INTENT = { kind: 'intent', step: STEP, write: {}, base: null } as const satisfies JournalEntry;
const LANDED = { kind: 'landed', step: STEP, version: '2' } as const satisfies JournalEntry;
const failed = (over: { readonly landed: boolean; readonly inDoubt?: true }) =>
  ({ kind: 'failed', step: STEP, message: 'not today', ...over }) as const satisfies JournalEntry;

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-journal-'));
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

/** Writes these entries as a run, and reads the last run. */
async function readBack(run: string, entries: readonly JournalEntry[]) {
  await write(run, entries);
  return readLastRun(path);
}

describe('the last run of a journal', () => {
  it('is null if there is no journal, and an error if the journal cannot be read', async () => {
    expect(await readLastRun(path)).toBeNull();
    await expect(readLastRun(folder)).rejects.toMatchObject({ code: 'apply/journal', fault: 'user' });
  });

  it.each([
    ['a plan', '{"kind":"plan","formatVersion":3}'],
    ['a file of the project', 'zone: shop.example\n'],
    ['a list', '[\n]'],
    ['more than a journal may grow to', `{\n${' '.repeat(100)}`],
  ])('is an error in %s, to which nothing is appended either', async (_what, text) => {
    await writeFile(path, text);
    const refusal = {
      code: 'apply/journal',
      fault: 'user',
      message: `${path} is not a journal, and nothing is appended to it`,
    };
    await expect(readLastRun(path)).rejects.toMatchObject(refusal);
    await expect(openJournal(path, { now: () => 1000, run: 'one', mostBytes: 50 })).rejects.toMatchObject(
      refusal,
    );
    expect([await readdir(folder), await readFile(path, 'utf8')]).toEqual([['journal.jsonl'], text]);
  });

  it.each([
    ['nothing', ''],
    ['the torn beginning of a line', '{"a'],
    ['zeros where a line was to stand', '\0'.repeat(80)],
  ])('is null where a crash left %s, and a run can begin there', async (_what, text) => {
    await writeFile(path, text);
    expect(await readLastRun(path)).toBeNull();
    expect(await readBack('one', [HEAD])).toMatchObject({ run: 'one' });
  });

  it.skipIf(process.platform === 'win32')('is an error if the journal is a pipe', async () => {
    execFileSync('mkfifo', [path]);
    await expect(readLastRun(path)).rejects.toMatchObject({
      code: 'apply/journal',
      message: `The journal ${path} cannot be read: it is not a regular file.`,
    });
  });

  it.each<[what: string, entries: readonly JournalEntry[], landed: number, open: boolean]>([
    ['did nothing yet', [], 0, false],
    ['was about to write', [INTENT], 0, true],
    ['wrote', [INTENT, LANDED], 1, false],
    ['wrote, and was about to write again', [INTENT, LANDED, INTENT], 1, true],
    ['was refused', [INTENT, LANDED, INTENT, failed({ landed: false })], 1, false],
    ['failed after its write had landed', [INTENT, failed({ landed: true })], 1, false],
    ['never learned of a write', [INTENT, LANDED, INTENT, failed({ landed: false, inDoubt: true })], 1, true],
  ])('is read with its writes: it %s', async (_what, entries, landed, open) => {
    const run = await readBack('one', [HEAD, ...entries]);
    expect(run).toMatchObject({ run: 'one', at: 1000, end: null, service: 'https://api.example' });
    expect(run?.steps.map((step) => [step.step, step.writes, step.landed, step.inFlight !== null])).toEqual([
      [STEP, 2, landed, open],
    ]);
  });

  const LISTED = {
    ...INTENT,
    write: { kind: 'put-ruleset', id: id(3), description: null, rules: [{ id: id(4) }] },
  };
  const DESCRIBED = { ...LISTED, write: { ...LISTED.write, rules: null } };

  it.each<[what: string, entries: readonly JournalEntry[], isFound: boolean]>([
    ['of which nothing is known', [LISTED], true],
    [
      'that landed beside somebody else, also with more after it',
      [LISTED, failed({ landed: true }), INTENT, LANDED],
      true,
    ],
    ['that is in doubt', [LISTED, failed({ landed: false, inDoubt: true })], true],
    ['that landed alone', [LISTED, LANDED], false],
    ['that did nothing', [LISTED, failed({ landed: false })], false],
    [
      'that was sent by ids, refused, and landed whole',
      [LISTED, failed({ landed: false }), LISTED, LANDED],
      false,
    ],
    ['of no rules', [DESCRIBED], false],
  ])('has a list that may have undone a foreign write, or none: one %s', async (_what, entries, isFound) => {
    const run = await readBack('one', [HEAD, ...entries]);
    expect(run?.steps.map(({ list }) => list?.write?.kind)).toEqual([isFound ? 'put-ruleset' : undefined]);
  });

  it('counts the deletion of a ruleset that existed before as landed', async () => {
    const base = { kind: 'version', id: id(3), version: '7', lastUpdated: '2026-06-01T00:00:00Z' } as const;
    const head = { ...HEAD, steps: HEAD.steps.map((step) => ({ ...step, base, writes: 1 })) };
    const intent = { ...INTENT, write: { kind: 'delete-ruleset', id: id(3) }, base };
    const run = await readBack('one', [head, intent, { ...LANDED, version: null }]);
    expect(run?.steps).toMatchObject([{ landed: 1, inFlight: null }]);
  });

  it('has every kind of target and base of its steps', async () => {
    const [step] = HEAD.steps;
    const steps = [
      step,
      { ...step, step: 'root', target: { ...step.target, level: 'root' as const } },
      {
        ...step,
        step: 'custom',
        target: { ...step.target, level: 'custom' as const, name: 'Login' },
        base: { kind: 'version' as const, id: id(3), version: '7', lastUpdated: '2026-01-01T00:00:00Z' },
        tokenEnv: 'SHOP_TOKEN',
      },
    ];
    const run = await readBack('one', [{ ...HEAD, steps }]);
    expect(run?.steps).toEqual(steps.map((one) => ({ ...one, landed: 0, inFlight: null, list: null })));
  });

  it.each([
    ['a phase', { target: { ...HEAD.steps[0].target, phase: '../versions' } }],
    ['a version', { base: { kind: 'version', id: id(3), version: 'x', lastUpdated: '' } }],
  ] as const)('leaves out a step with %s that no request could name', async (_what, over) => {
    const [step] = HEAD.steps;
    const run = await readBack('one', [{ ...HEAD, steps: [step, { ...step, step: 'damaged', ...over }] }]);
    expect(run?.steps.map((one) => one.step)).toEqual([STEP]);
  });

  it('is found even if it began before the part of the file that is read first', async () => {
    await write('one', [HEAD, ...Array.from({ length: 50 }, () => [INTENT, LANDED]).flat()]);
    expect(await readLastRun(path, 100)).toEqual(await readLastRun(path));
    expect(await readLastRun(path, 100)).toMatchObject({
      run: 'one',
      steps: [{ landed: 50, inFlight: null }],
    });
  });

  it('is read without the entries of earlier runs', async () => {
    await readBack('one', [HEAD, INTENT, LANDED, { kind: 'end', result: 'done' }]);
    const run = await readBack('two', [HEAD, INTENT]);
    expect(run).toMatchObject({
      run: 'two',
      end: null,
      steps: [{ landed: 0, inFlight: { write: null, base: null } }],
    });
  });
});

describe('the last run of a journal with several runs', () => {
  it('is read without the entries of a run beside it', async () => {
    await write('one', [HEAD, INTENT]);
    await write('other', [INTENT, LANDED, { kind: 'end', result: 'done' }]);
    expect(await readLastRun(path)).toMatchObject({
      run: 'one',
      purpose: 'apply',
      end: null,
      steps: [{ landed: 0, inFlight: {} }],
    });
  });

  it('is the rollback of a failed run, without the entries of that run', async () => {
    const [step] = HEAD.steps;
    const scope = { kind: 'account', id: id(2), name: 'Shop', accountId: id(2) } as const;
    const back = { ...HEAD, purpose: 'rollback', steps: [{ ...step, scope }] } as const;
    const run = await readBack('one', [
      HEAD,
      INTENT,
      LANDED,
      INTENT,
      failed({ landed: false }),
      back,
      INTENT,
    ]);
    expect(run).toMatchObject({
      run: 'one',
      purpose: 'rollback',
      steps: [{ scope, landed: 0, inFlight: {} }],
    });
  });
});

describe('a write under way in a journal', () => {
  const rule = { ref: 'a', action: 'block', expression: 'ssl' };
  const target = HEAD.steps[0].target;
  const base = { kind: 'version', id: id(3), version: '7', lastUpdated: '2026-01-01T00:00:00Z' } as const;
  const step: Step = { id: STEP, operation: 'update', target, base, after: [], staying: [], changes: [] };
  const [at, behind] = [{ id: id(3) }, { kind: 'live', id: id(4) } as const];

  it.each<Write>([
    { kind: 'create-ruleset', target, description: '', rules: [rule] },
    { kind: 'put-ruleset', ...at, description: null, rules: [rule, { id: id(4) }] },
    { kind: 'put-ruleset', ...at, description: 'new', rules: null },
    { kind: 'add-rule', ...at, ref: 'a', rule, behind },
    { kind: 'patch-rule', ...at, ruleId: id(4), rule, behind: null },
    { kind: 'patch-rule', ...at, ruleId: id(4), rule: null, behind: { kind: 'new', ref: 'a' } },
    { kind: 'delete-rule', ...at, ruleId: id(4) },
    { kind: 'delete-ruleset', ...at },
  ])('is read as it was sent: %j', async (sent) => {
    const write = journalWrite(sent, null, stepSecrets(step));
    const run = await readBack('one', [HEAD, { kind: 'intent', step: STEP, write, base }]);
    expect(run?.steps[0]?.inFlight).toEqual({ write: sent, base, at: 1000 });
  });

  it.each([
    ['a text in it is hidden', { kind: 'add-rule', ...at, rule: { ...rule, expression: HIDDEN }, behind }],
    ['it was damaged', { kind: 'put-ruleset', ...at, description: null, rules: ['a'] }],
  ])('is null if %s', async (_why, write) => {
    const run = await readBack('one', [HEAD, { kind: 'intent', step: STEP, write, base }]);
    expect(run?.steps[0]?.inFlight).toEqual({ write: null, base, at: 1000 });
  });
});
