import { mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBudget } from '../../../src/api/budget.ts';
import { openWriteClient } from '../../../src/api/client.ts';
import { systemClock } from '../../../src/network/clock.ts';
import type { Journal, JournalEntry } from '../../../src/apply/journal/journal-entry.ts';
import { continueJournal, openJournal } from '../../../src/apply/journal/journal.ts';
import { readLastRun } from '../../../src/apply/journal/read-journal.ts';
import { describeUnfinished, stillLanding } from '../../../src/apply/journal/unfinished-run.ts';
import { RulewrightError } from '../../../src/model/error.ts';
import { unfinishedText } from '../../report/printed.ts';
import { desiredRule, desiredRuleset } from '../../plan/build.ts';
import { openFaultProxy } from '../campaign/fault-proxy.ts';
import type { Bench } from '../run-against-service.ts';
import {
  blockHosts,
  carryOut,
  carryOutPlan,
  expectConverged,
  openBench,
  plan,
  zone,
} from '../run-against-service.ts';

const PHASE = 'http_request_firewall_custom';
const REDIRECTS = 'http_request_dynamic_redirect';

/** A time at which no write that was sent can still land. */
const LONG_AFTER = Infinity;

let folder: string;
let path: string;
let bench: Bench;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-journal-'));
  path = join(folder, 'deep', 'journal.jsonl');
  bench = await openBench();
  await blockHosts(bench, ['a', 'b']);
});
afterEach(async () => {
  await bench.close();
  await rm(folder, { recursive: true, force: true });
});

const rule = (ref: string, over: Partial<Parameters<typeof desiredRule>[0]> = {}) =>
  desiredRule({ ref, action: 'block', expression: `http.host eq "${ref}.example"`, ...over });
const wanted = (...refs: readonly string[]) => zone([desiredRuleset(refs.map((ref) => rule(ref)))]);
const redirect = rule('r', {
  action: 'redirect',
  action_parameters: { from_value: { target_url: { value: 'https://x.example/' }, status_code: 301 } },
});
const redirects = desiredRuleset([redirect], { address: { kind: 'entrypoint', phase: REDIRECTS } });

const journalOf = (run: string, mostBytes?: number): Promise<Journal> =>
  openJournal(path, { now: () => 1000, run, ...(mostBytes === undefined ? {} : { mostBytes }) });

async function lines(): Promise<readonly (JournalEntry & { run: string; at: number })[]> {
  const text = await readFile(path, 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JournalEntry & { run: string; at: number });
}

function clientThrough(baseUrl: string) {
  return openWriteClient({
    baseUrl,
    credentials: { kind: 'token', token: bench.emulator.token },
    budget: createBudget({ clock: systemClock, limit: Infinity, limitPerSecond: Infinity }),
  });
}

describe('the journal', () => {
  it('is on disk before the first write, with the head of the run and the intent', async () => {
    const seen: string[][] = [];
    const proxy = await openFaultProxy(bench.emulator.baseUrl, ({ method, path: target }) =>
      method === 'GET' || target.includes('dry_run')
        ? { kind: 'pass' }
        : {
            kind: 'meanwhile',
            act: async () => {
              seen.push((await lines()).map(({ kind }) => kind));
            },
          },
    );
    const journal = await journalOf('one');
    const client = clientThrough(proxy.baseUrl);
    const desired = zone([desiredRuleset([rule('a')]), redirects]);
    const { outcomes } = await carryOutPlan(bench, [await plan(bench, desired)], { journal, client });
    await client.close();
    await proxy.close();
    await journal.close();
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done']);
    expect(seen).toEqual([
      ['run', 'intent'],
      ['run', 'intent', 'landed', 'intent'],
    ]);
    expect((await lines()).at(-1)?.kind).toBe('landed');
    await expectConverged(bench, desired);
  });

  it('names plan, time and steps in its head, and holds no credentials', async () => {
    const journal = await journalOf('one');
    const scopePlan = await plan(bench, wanted('a', 'c'));
    await carryOutPlan(bench, [scopePlan], { journal });
    await journal.close();
    expect((await lines())[0]).toMatchObject({
      kind: 'run',
      purpose: 'apply',
      run: 'one',
      at: 1000,
      plan: expect.stringMatching(/^[0-9a-f]{64}$/),
      service: 'the bench',
      steps: [
        {
          step: `zone:shop.example/${PHASE}`,
          scope: { name: 'shop.example' },
          base: { kind: 'version' },
          writes: 1,
        },
      ],
    });
    const text = await readFile(path, 'utf8');
    expect(text).not.toContain(bench.emulator.token);
    expect(text.toLowerCase()).not.toContain('authorization');
    expect((await stat(path)).mode & 0o077).toBe(0);
  });

  it('has the whole content of a ruleset before that ruleset is deleted', async () => {
    const inner = desiredRuleset([rule('inner')], {
      address: { kind: 'custom', phase: PHASE, name: 'Gone' },
    });
    await carryOut(bench, await plan(bench, zone([inner])));
    const journal = await journalOf('one');
    const gone = zone([{ ...inner, presence: 'absent', rules: [] }]);
    await carryOutPlan(bench, [await plan(bench, gone)], { journal });
    await journal.close();
    expect((await lines()).map(({ kind }) => kind)).toEqual(['run', 'saved', 'intent', 'landed']);
    expect((await lines())[1]).toMatchObject({
      ruleset: {
        name: 'Gone',
        rules: [{ ref: 'inner', content: { expression: 'http.host eq "inner.example"' } }],
      },
    });
    await expectConverged(bench, gone);
  });

  it('stays readable after a crash in the middle of a line', async () => {
    const first = await journalOf('one');
    await first.record({ kind: 'run', purpose: 'apply', plan: 'p', service: 's', steps: [] });
    await first.close();
    await writeFile(path, `${await readFile(path, 'utf8')}{"at":1000,"run":"one","kind":"inte`);
    expect(await readLastRun(path)).toMatchObject({ run: 'one', end: null });
    const second = await journalOf('two');
    await second.record({ kind: 'run', purpose: 'apply', plan: 'q', service: 's', steps: [] });
    await second.record({ kind: 'end', result: 'done' });
    await second.close();
    expect(await readLastRun(path)).toMatchObject({ run: 'two', plan: 'q', end: 'done' });
  });

  it('is not rotated while its last run is one that crashed', async () => {
    const crashed = await journalOf('one', 100);
    await crashed.record({ kind: 'run', purpose: 'apply', plan: 'p'.repeat(200), service: 's', steps: [] });
    await crashed.close();
    const other = await journalOf('two', 100);
    await other.record({ kind: 'run', purpose: 'retire', plan: 'q', service: 's', steps: [] });
    await other.close();
    expect(await readLastRun(path)).toMatchObject({ run: 'one', end: null });
  });

  it('is rotated when it exceeds its maximum size', async () => {
    for (const run of ['one', 'two', 'three']) {
      const journal = await journalOf(run, 100);
      await journal.record({ kind: 'run', purpose: 'apply', plan: 'p'.repeat(200), service: 's', steps: [] });
      await journal.record({ kind: 'end', result: 'done' });
      await journal.close();
    }
    expect((await lines()).map(({ run }) => run)).toEqual(['three', 'three']);
    expect(await readFile(`${path}.1`, 'utf8')).toContain('"two"');
  });

  it('is not rotated when a run that began in it is continued', async () => {
    const begun = await journalOf('one', 100);
    await begun.record({ kind: 'run', purpose: 'apply', plan: 'p', service: 's', steps: [] });
    await begun.close();
    await writeFile(path, `${await readFile(path, 'utf8')}${' '.repeat(9 * 1024 * 1024)}\n`);
    const next = await continueJournal(path, { now: () => 2000, run: 'one' });
    await next.record({ kind: 'end', result: 'settled' });
    await next.close();
    expect(await readLastRun(path)).toMatchObject({ run: 'one', end: 'settled' });
    expect(await readdir(join(folder, 'deep'))).not.toContain('journal.jsonl.1');
  });

  it('is never written through a symbolic link, which a checkout may contain', async () => {
    const [other, link] = [join(folder, 'other'), join(folder, 'link.jsonl')];
    await writeFile(other, 'as it was');
    await symlink(other, link);
    await expect(openJournal(link, { now: () => 0, run: 'x' })).rejects.toMatchObject({
      code: 'apply/journal',
    });
    expect(await readFile(other, 'utf8')).toBe('as it was');
  });

  it('stops the run before a write whose intent it cannot record', async () => {
    const broken: Journal = {
      record: (entry) => (entry.kind === 'intent' ? journal.record(entry) : Promise.resolve()),
      close: () => Promise.resolve(),
    };
    const journal = await journalOf('one');
    await journal.close();
    const { outcomes } = await carryOutPlan(bench, [await plan(bench, wanted('a'))], { journal: broken });
    expect(outcomes).toMatchObject([
      {
        kind: 'failed',
        code: 'apply/journal',
        writes: 0,
        message: expect.stringContaining('cannot be written'),
      },
    ]);
    expect((await plan(bench, wanted('a'))).steps.length).toBe(1);
    await expect(openJournal(folder, { now: () => 0, run: 'x' })).rejects.toMatchObject({
      code: 'apply/journal',
    });
  });

  it('does not hide a write whose result it cannot record', async () => {
    const journal = await journalOf('one');
    const broken: Journal = {
      record: async (entry) => {
        if (entry.kind === 'landed') {
          await journal.close();
        }
        return journal.record(entry);
      },
      close: () => Promise.resolve(),
    };
    const { outcomes } = await carryOutPlan(bench, [await plan(bench, wanted('a'))], { journal: broken });
    expect(outcomes).toMatchObject([{ kind: 'failed', code: 'apply/journal', writes: 1 }]);
    await expectConverged(bench, wanted('a'));
  });
});

describe('a run without an end', () => {
  /** Carries out a run that dies in its second write, before or after the service gets it. */
  async function crash(when: 'before' | 'after') {
    const desired = zone([desiredRuleset([rule('c'), rule('a')]), redirects]);
    const journal = await journalOf('crashed');
    const scopePlan = await plan(bench, desired);
    let writes = 0;
    let die = (): void => undefined;
    const died = new Promise<void>((resolve) => {
      die = resolve;
    });
    const dying: Journal = {
      record: async (entry) => {
        writes += entry.kind === 'intent' ? 1 : 0;
        if (writes === 2 && (when === 'before' ? entry.kind === 'intent' : entry.kind === 'landed')) {
          await (when === 'before' ? journal.record(entry) : undefined);
          die();
          // A killed process never goes on from here.
          await new Promise<never>(() => undefined);
        }
        await journal.record(entry);
      },
      close: () => Promise.resolve(),
    };
    void carryOutPlan(bench, [scopePlan], { journal: dying });
    await died;
    await journal.close();
    return desired;
  }

  it.each([
    ['before' as const, 'not-begun'],
    ['after' as const, 'done'],
  ])('is described with what it did: killed %s its second write landed', async (when, state) => {
    const desired = await crash(when);
    const run = await readLastRun(path);
    if (run === null) {
      throw new Error('no run');
    }
    expect(run.end).toBeNull();
    const unfinished = await describeUnfinished(run, () => bench.client, LONG_AFTER);
    expect(unfinished.steps.map((step) => step.state)).toEqual(
      unfinished.steps.map((step) => (step.step.endsWith(PHASE) ? 'done' : state)),
    );
    expect(unfinishedText(unfinished, { width: 80, colour: false })).toContain(
      `done         zone:shop.example/${PHASE}`,
    );
    const { outcomes } = await carryOutPlan(bench, [await plan(bench, desired)]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(outcomes.map(() => 'done'));
    await expectConverged(bench, desired);
  });

  /** The state of the step that the second write of the run was for. */
  async function fateOfSecond(): Promise<string | undefined> {
    const run = await readLastRun(path);
    const unfinished = run && (await describeUnfinished(run, () => bench.client, LONG_AFTER));
    return unfinished?.steps.find(({ step }) => !step.endsWith(PHASE))?.state;
  }

  it('has a write in doubt for a minute after it was sent, as long as live does not show it', async () => {
    await crash('before');
    const run = await readLastRun(path);
    const sent = run?.steps.find(({ inFlight }) => inFlight !== null)?.inFlight?.at ?? 0;
    const stateAt = async (now: number) =>
      run &&
      (await describeUnfinished(run, () => bench.client, now)).steps.map(({ state }) => state).toSorted();
    expect(await stateAt(sent + 59_999)).toEqual(['done', 'in-doubt']);
    expect(await stateAt(sent + 60_000)).toEqual(['done', 'not-begun']);
    expect(
      [sent - 3_600_000, sent, sent + 1, sent + 60_000].map((now) => run && stillLanding(run, now)),
    ).toEqual([60_000, 60_000, 59_999, 0]);
  });

  const theirs = zone([
    desiredRuleset(
      [
        {
          ...redirect,
          content: { ...redirect.content, expression: 'http.host eq "theirs.example"' },
        },
      ],
      { address: { kind: 'entrypoint', phase: REDIRECTS } },
    ),
  ]);

  it('does not claim a write of somebody else', async () => {
    await crash('before');
    await carryOut(bench, await plan(bench, theirs));
    expect(await fateOfSecond()).toBe('unknown');
  });

  it('is described from the journal alone if its scope can no longer be read', async () => {
    await crash('before');
    const run = await readLastRun(path);
    const unfinished =
      run &&
      (await describeUnfinished(
        run,
        () => {
          throw new RulewrightError('OLD_TOKEN is not set', { code: 'app/no-credentials', fault: 'user' });
        },
        LONG_AFTER,
      ));
    expect(unfinished?.steps.map(({ state }) => state).toSorted()).toEqual(['done', 'unknown']);
  });

  it('is described with no more writes than it planned', async () => {
    await crash('after');
    const run = await readLastRun(path);
    const steps = run?.steps.map((step) => ({ ...step, landed: step.writes + 1, inFlight: null })) ?? [];
    const unfinished = run && (await describeUnfinished({ ...run, steps }, () => bench.client, LONG_AFTER));
    expect(unfinished?.steps.map(({ landed, state }) => [landed, state])).toEqual(
      steps.map(({ writes }) => [writes, 'done']),
    );
  });

  it('has its write recognised even if somebody else wrote after it', async () => {
    await crash('after');
    await carryOut(bench, await plan(bench, theirs));
    expect(await fateOfSecond()).toBe('done');
  });
});
