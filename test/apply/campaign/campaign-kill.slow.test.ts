import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLastRun } from '../../../src/apply/journal/read-journal.ts';
import { describeUnfinished } from '../../../src/apply/journal/unfinished-run.ts';
import { propertyRuns } from '../../property-runs.ts';
import type { Bench } from '../run-against-service.ts';
import { carryOut, openBench, plan } from '../run-against-service.ts';
import type { CampaignPlan } from './campaign-plans.ts';
import { PLANS } from './campaign-plans.ts';
import type { Prepared } from './campaign-run.ts';
import { prepare, rulesIn, rulesetsOf } from './campaign-run.ts';
import type { Fault } from './fault-proxy.ts';
import { openFaultProxy } from './fault-proxy.ts';
import type { ChildTask } from './kill-child.ts';

// Kills a real process at each request of an apply, before the service sees the request or after it has carried it out. Runs about a
// twentieth of RULEWRIGHT_PROPERTY_RUNS cases, spread evenly, and all of them from 10,000 on.

type Moment = 'before' | 'after';

let bench: Bench;
let folder: string;
let child: string;
beforeAll(async () => {
  bench = await openBench();
  folder = await mkdtemp(join(tmpdir(), 'rulewright-kill-'));
  child = join(folder, 'child.mjs');
  const build = await rolldown({
    input: new URL('kill-child.ts', import.meta.url).pathname,
    platform: 'node',
    logLevel: 'silent',
  });
  await build.write({ file: child, format: 'esm', codeSplitting: false });
  await build.close();
});
afterAll(async () => {
  await bench.close();
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly requests: number;
  readonly writes: number;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
}

const REFUSAL = JSON.stringify({
  result: null,
  success: false,
  errors: [{ code: 20000, message: 'not today' }],
  messages: [],
});

interface Run {
  readonly given: CampaignPlan;
  readonly prepared: Prepared;
  readonly journal: string;
  /** The number of a write that the service refuses, so that the run rolls back. */
  readonly refused?: number;
}

/** Runs a plan in a process of its own, which is killed at its `at`-th request, or not at all if `at` is 0. */
async function runAndKill(
  { given, prepared, journal, refused }: Run,
  at: number,
  moment: Moment,
): Promise<Ended> {
  let requests = 0;
  let writes = 0;
  let kill: () => Promise<unknown> = () => Promise.resolve();
  const proxy = await openFaultProxy(bench.emulator.baseUrl, ({ method, path }): Fault => {
    requests += 1;
    writes += method === 'GET' || path.includes('dry_run') ? 0 : 1;
    if (requests !== at) {
      return method !== 'GET' && writes === refused
        ? { kind: 'answer', status: 400, body: REFUSAL }
        : { kind: 'pass' };
    }
    return { kind: moment === 'before' ? 'kill-before' : 'kill-after', kill: () => kill() };
  });
  const { strategy, preflight } = given;
  const task: ChildTask = {
    baseUrl: proxy.baseUrl,
    token: bench.emulator.token,
    scope: prepared.plan,
    strategy,
    preflight,
    journal,
    onFailure: refused === undefined ? 'stop' : 'rollback',
  };
  const file = join(folder, 'task.json');
  await writeFile(file, JSON.stringify(task));
  const process = spawn(globalThis.process.execPath, [child, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  let stdout = '';
  process.stdout.on('data', (data: Buffer) => {
    stdout += data.toString();
  });
  const closed = once(process, 'close');
  kill = () => {
    process.kill('SIGKILL');
    return closed;
  };
  await closed;
  await proxy.close();
  return { requests, writes, signal: process.signalCode, stdout };
}

async function check(given: CampaignPlan, at: number, moment: Moment): Promise<void> {
  const prepared = await prepare(bench, given);
  const journal = join(folder, `${PLANS.indexOf(given)}-${at}-${moment}.jsonl`);
  const { signal } = await runAndKill({ given, prepared, journal }, at, moment);
  expect(signal).toBe('SIGKILL');

  // The journal together with the live state tells correctly which steps were done.
  const run = await readLastRun(journal);
  if (run === null) {
    throw new Error('the journal has no run');
  }
  expect(run.end).toBeNull();
  const { steps } = await describeUnfinished(run, () => bench.client, Infinity);
  const left = new Set((await plan(bench, given.desired)).steps.map(({ id }) => id));
  expect(steps.map(({ step, state }) => [step, state === 'done'])).toEqual(
    steps.map(({ step }) => [step, !left.has(step)]),
  );

  // No rule is doubled or lost, and applying a new plan does the rest.
  const after = await rulesetsOf(bench, given);
  for (const { rules } of after) {
    expect(new Set(rules.map(({ ref }) => ref)).size).toBe(rules.length);
  }
  const gone = prepared.plan.steps.flatMap(({ changes }) =>
    changes.flatMap((change) => (change.kind === 'delete' ? [change.id] : [])),
  );
  const alive = new Set(rulesIn(after).map(({ id }) => id));
  const missing = rulesIn(prepared.before).filter(({ id }) => !alive.has(id) && !gone.includes(id));
  expect(missing).toEqual([]);
  const next = await carryOut(bench, await plan(bench, given.desired));
  expect(next.filter(({ kind }) => kind !== 'done')).toEqual([]);
  expect((await plan(bench, given.desired)).steps).toEqual([]);
}

describe('an apply whose process is killed at one of its requests', () => {
  it('has recorded in its journal what it did, and the next run does the rest', async () => {
    const cases: (readonly [CampaignPlan, number, Moment])[] = [];
    const every = propertyRuns() >= 10_000;
    // Every fifth plan, unless all cases are to run.
    for (const given of every ? PLANS : PLANS.filter((_given, index) => index % 5 === 1)) {
      const prepared = await prepare(bench, given);
      const journal = join(folder, `whole-${PLANS.indexOf(given)}.jsonl`);
      const { requests, stdout } = await runAndKill({ given, prepared, journal }, 0, 'before');
      expect([given.name, JSON.parse(stdout)]).toEqual([given.name, prepared.plan.steps.map(() => 'done')]);
      expect((await readLastRun(journal))?.end).toBe('done');
      for (let at = 1; at <= requests; at += 1) {
        cases.push([given, at, 'before'], [given, at, 'after']);
      }
    }
    const stride = every ? 1 : Math.max(1, Math.floor(cases.length / Math.ceil(propertyRuns() / 20)));
    const chosen = cases.filter((_case, index) => index % stride === 0);
    for (const [given, at, moment] of chosen) {
      try {
        await check(given, at, moment);
      } catch (error) {
        throw new Error(`${given.name}: killed ${moment} request ${at}`, { cause: error });
      }
    }
    process.stdout.write(`kill campaign: ${chosen.length} of ${cases.length} cases\n`);
    expect(chosen.length).toBeGreaterThan(0);
  }, 3_600_000);
});

describe('a run that is killed during its rollback', () => {
  it('has recorded the rollback in its journal, and the next run converges', async () => {
    const every = propertyRuns() >= 10_000;
    const purposes = new Set<string>();
    let cases = 0;
    for (const given of PLANS) {
      // Only the first plan with several writes, unless all cases are to run.
      if (!every && cases > 0) {
        break;
      }
      const name = `back-${PLANS.indexOf(given)}`;
      const whole = { given, prepared: await prepare(bench, given), journal: join(folder, `${name}.jsonl`) };
      const { writes, requests } = await runAndKill(whole, 0, 'before');
      if (writes < 2) {
        continue;
      }
      const prepared = await prepare(bench, given);
      const undisturbed = { given, prepared, journal: join(folder, `${name}-0.jsonl`), refused: writes };
      const { requests: all } = await runAndKill(undisturbed, 0, 'before');
      for (let at = requests; at <= all; at += every ? 1 : 2) {
        for (const moment of every ? (['before', 'after'] as const) : (['after'] as const)) {
          const told = `${given.name}: killed ${moment} request ${at}`;
          const run = {
            ...undisturbed,
            prepared: await prepare(bench, given),
            journal: join(folder, `${name}-${at}-${moment}.jsonl`),
          };
          expect([told, (await runAndKill(run, at, moment)).signal]).toEqual([told, 'SIGKILL']);
          const recorded = await readLastRun(run.journal);
          purposes.add(recorded?.purpose ?? 'none');
          expect([told, recorded?.end]).toEqual([told, null]);
          for (const { rules } of await rulesetsOf(bench, given)) {
            expect([told, new Set(rules.map(({ ref }) => ref)).size]).toEqual([told, rules.length]);
          }
          const next = await carryOut(bench, await plan(bench, given.desired));
          expect([told, next.filter(({ kind }) => kind !== 'done')]).toEqual([told, []]);
          expect([told, (await plan(bench, given.desired)).steps]).toEqual([told, []]);
          cases += 1;
        }
      }
    }
    process.stdout.write(`kill campaign on the way back: ${cases} cases\n`);
    expect(purposes).toContain('rollback');
  }, 3_600_000);
});
