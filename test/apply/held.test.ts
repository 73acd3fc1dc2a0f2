import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createBudget } from '../../src/api/budget.ts';
import { openWriteClient } from '../../src/api/client.ts';
import type { Hold } from '../../src/apply/journal/hold-journal.ts';
import { holdJournal } from '../../src/apply/journal/hold-journal.ts';
import { openJournal } from '../../src/apply/journal/journal.ts';
import { createFakeClock } from '../fake-clock.ts';
import { desiredRule, desiredRuleset } from '../plan/build.ts';
import type { Fault } from './campaign/fault-proxy.ts';
import { openFaultProxy } from './campaign/fault-proxy.ts';
import { blockHosts, carryOutPlan, openBench, plan, zone } from './run-against-service.ts';

let journal: string;
let lock: string;
let hold: Extract<Hold, { readonly kind: 'held' }>;
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rulewright-held-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  journal = join(folder, 'journal.jsonl');
  lock = `${journal}.lock`;
  const taken = await holdJournal(journal, () => 1000);
  if (taken.kind !== 'held') {
    throw new Error('somebody else has a new folder');
  }
  hold = taken;
  onTestFinished(hold.release);
});

/** Makes the lock that of another run, which takes the journal when this one has been silent for too long. */
const takeOver = (): void => writeFileSync(lock, 'of another run');

describe('mayWrite of the hold on a journal', () => {
  it('allows writes while the hold lasts', async () => {
    expect(await hold.mayWrite()).toBe(null);
  });

  it.each([
    ['another run took the journal', takeOver],
    ['another run took it and has ended', () => rmSync(lock)],
  ])('allows no write if %s', async (_name, act) => {
    act();
    expect(await hold.mayWrite()).toContain(`no longer has the journal ${journal} for itself`);
  });

  it('allows no write if the lock cannot be read', async () => {
    rmSync(lock);
    mkdirSync(lock);
    expect(await hold.mayWrite()).toContain('EISDIR');
  });

  it('renews a lock that is old but that nobody has taken', async () => {
    await utimes(lock, 0, 0);
    expect(await hold.mayWrite()).toBe(null);
    expect((await stat(lock)).mtimeMs).toBeGreaterThan(0);
  });
});

describe('a run whose journal another run takes', () => {
  const desired = zone([
    desiredRuleset(
      ['a', 'x', 'b', 'y', 'z'].map((ref) =>
        desiredRule({ ref, action: 'block', expression: `http.host eq "${ref}.example"` }),
      ),
    ),
  ]);

  /** Applies with single rule operations. During the first write, which `fault` happens to, another run takes the journal. */
  async function apply(fault: Fault, onFailure: 'stop' | 'rollback' = 'stop') {
    const bench = await openBench();
    onTestFinished(() => bench.close());
    await blockHosts(bench, ['a', 'b']);
    let writes = 0;
    const proxy = await openFaultProxy(bench.emulator.baseUrl, ({ method }) => {
      writes += method === 'GET' ? 0 : 1;
      if (method === 'GET' || writes > 1) {
        return { kind: 'pass' };
      }
      takeOver();
      return fault;
    });
    onTestFinished(() => proxy.close());
    const clock = createFakeClock();
    const client = openWriteClient({
      baseUrl: proxy.baseUrl,
      credentials: { kind: 'token', token: bench.emulator.token },
      budget: createBudget({ clock, limit: Infinity, limitPerSecond: Infinity }),
      clock,
      mayWrite: hold.mayWrite,
    });
    onTestFinished(() => client.close());
    const scopePlan = await plan(bench, desired);
    const opened = await openJournal(journal, { now: () => 1000, run: 'one', mayWrite: hold.mayWrite });
    const ended = await carryOutPlan(bench, [scopePlan], {
      strategy: 'rules',
      preflight: 'off',
      client,
      journal: opened,
      onFailure,
    });
    await opened.close();
    return { ...ended, writes };
  }

  it('stops before its next write', async () => {
    const { outcomes, writes } = await apply({ kind: 'pass' });
    expect(outcomes).toMatchObject([{ kind: 'failed', code: 'apply/not-held', writes: 1 }]);
    expect(writes).toBe(1);
  });

  it('does not roll back either, and leaves the journal to the other run', async () => {
    const { rollback, writes } = await apply({ kind: 'pass' }, 'rollback');
    expect(rollback).toMatchObject({
      result: 'partial',
      outcomes: [{ kind: 'failed', code: 'apply/not-held', writes: 0 }],
    });
    expect(writes).toBe(1);
    expect((await readFile(journal, 'utf8')).match(/"kind":"run"/gu)).toHaveLength(1);
  });

  it('does not send a write without an answer again, and reports that it is in doubt', async () => {
    const { outcomes, writes } = await apply({ kind: 'cut-before' });
    expect(outcomes).toMatchObject([{ kind: 'failed', inDoubt: true, writes: 0 }]);
    expect(writes).toBe(1);
  });

  it('cannot begin a run in the journal', async () => {
    takeOver();
    await expect(
      openJournal(journal, { now: () => 1000, run: 'one', mayWrite: hold.mayWrite }),
    ).rejects.toMatchObject({
      code: 'apply/not-held',
    });
  });
});
