import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../fake-clock.ts';
import { fillDisk } from '../../full-disk.ts';
import { CONFIGURED, STATUS_PAGE, startWafBench } from './waf-bench.ts';
import type { WafBench } from './waf-bench.ts';

const FINISH = 'finish old.example --confirm old.example';
const VALIDATE = 'validate old.example --yes';

async function stateOf(bench: WafBench): Promise<string> {
  return (await bench.steps()).migration_state;
}

/** A bench with a generated configuration, and runs that are interrupted at their `at`-th request. */
async function startInterrupted(zone: Readonly<Record<string, unknown>>): Promise<{
  readonly bench: WafBench;
  readonly run: (words: string, at?: number) => Promise<{ readonly code: number; readonly writes: number }>;
}> {
  let control = new AbortController();
  let stopAt = Infinity;
  const bench = await startWafBench({
    zone,
    onRequest: (count) => {
      if (count === stopAt) {
        control.abort();
      }
    },
  });
  await bench.configure();
  return {
    bench,
    run: async (words, at = Infinity) => {
      bench.taken();
      control = new AbortController();
      stopAt = at;
      const { code } = await bench.waf(words, { signal: control.signal });
      return { code, writes: bench.taken().filter((request) => request.endsWith('*')).length };
    },
  };
}

/** Expects that the zone is migrated and that an ordinary plan has no changes for it. */
async function expectSettled(bench: WafBench): Promise<void> {
  expect(await stateOf(bench)).toBe('complete');
  const plan = await bench.run('plan --exit-code');
  expect([plan.code, plan.stdout]).toEqual([
    0,
    'No changes. Live equals the files (1 ruleset in 1 scope).\n',
  ]);
}

test('waf validate and waf finish take --var, as plan and apply do', async () => {
  const bench = await startWafBench();
  await bench.configure();
  const file = join(bench.folder, 'zones', 'managed.yaml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/expression: .*/u, 'expression: http.host eq ${host}'));
  await writeFile(
    join(bench.folder, 'rulewright.yaml'),
    'version: 1\nfiles: ["zones/*.yaml"]\nvars: { host: a.example }\n',
  );
  for (const step of ['validate', 'finish']) {
    const { code, stderr } = await bench.waf(`${step} old.example --dry-run --var host=b.example`);
    expect([code, stderr]).toEqual([0, expect.stringContaining('b.example')]);
  }
});

test('waf validate writes nothing when another run takes over the journal', async () => {
  const bench = await startWafBench();
  await bench.configure();
  const lock = join(bench.folder, '.rulewright', 'journal.jsonl.lock');
  const { code, stderr } = await bench.waf('validate old.example', {
    answer: async () => {
      await writeFile(lock, 'of another run');
      return true;
    },
  });
  expect([code, stderr]).toEqual([1, expect.stringContaining('apply/not-held')]);
  expect(bench.taken().filter((request) => request.endsWith('*'))).toEqual([]);
});

describe('the migration paths of specification 3.1', () => {
  test.each(['pro', 'business', 'enterprise'])(
    '%s: previous WAF only, pending → new managed rules only',
    async (plan) => {
      const bench = await startWafBench({ zone: { plan, ...CONFIGURED, ...STATUS_PAGE } });
      await bench.configure();
      bench.taken();
      const ended = await bench.waf(FINISH);
      expect(ended.stdout).toContain('state: start (previous WAF only) → complete (migrated)');
      expect(ended.code).toBe(0);
      const writes = bench.taken().filter((request) => request.endsWith('*'));
      expect(writes).toEqual([expect.stringContaining('?waf_migration=pending&phase_two=1')]);
      await expectSettled(bench);
    },
  );

  test('Enterprise: previous WAF only, validation → both enabled, pending → new managed rules only', async () => {
    const bench = await startWafBench({ zone: { ...CONFIGURED, ...STATUS_PAGE } });
    await bench.configure();
    const validated = await bench.waf(VALIDATE);
    expect(validated.stdout).toContain('state: start (previous WAF only) → validation (both versions on)');
    expect(validated.code).toBe(0);
    bench.taken();
    const again = await bench.waf(VALIDATE);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('nothing to do')]);
    expect(bench.taken().filter((request) => request.endsWith('*'))).toEqual([]);
    const finished = await bench.waf(FINISH);
    expect(finished.stdout).toContain('state: validation (both versions on) → complete (migrated)');
    await expectSettled(bench);
  });

  test('validation can be sent again with other rules, and finish takes those', async () => {
    const bench = await startWafBench();
    await bench.configure();
    await bench.waf(VALIDATE);
    const file = join(bench.folder, 'zones', 'managed.yaml');
    await writeFile(file, (await readFile(file, 'utf8')).replace('expression: "true"', 'expression: ssl'));
    const refused = await bench.run('apply --yes');
    expect(refused.stdout).toContain('apply/waf-migration');
    expect(refused.code).toBe(3);
    expect((await bench.waf(`${VALIDATE} --allow all`)).code).toBe(0);
    expect(await stateOf(bench)).toBe('validation');
    await bench.waf(FINISH);
    await expectSettled(bench);
  });

  test('Pro, deployed in the dashboard: finish has nothing to do', async () => {
    const bench = await startWafBench({ zone: { plan: 'pro' } });
    await bench.configure();
    await bench.control('deploy');
    const ended = await bench.waf(FINISH);
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining('nothing to do')]);
  });

  test('Enterprise, deployed in the dashboard: the zone is in validation, and finish migrates it', async () => {
    const bench = await startWafBench();
    await bench.configure();
    await bench.control('deploy');
    const status = await bench.waf('status old.example');
    expect(status.stdout).toContain('validation (both versions on)');
    expect(status.stdout).toContain('next: rulewright waf finish old.example');
    await bench.waf(`${FINISH} --allow all`);
    await expectSettled(bench);
  });
});

describe('an interruption', () => {
  test('at any request of a finish leaves nothing half done, and the next run goes on', async () => {
    let ready = await startInterrupted({ plan: 'pro' });
    const codes: number[] = [];
    // Each run gets one request further. Before the write, a run leaves the zone unchanged, so the next run can use the same zone.
    for (let at = 1; codes.at(-1) !== 0; at += 1) {
      const { bench } = ready;
      const { code, writes } = await ready.run(FINISH, at);
      codes.push(code);
      const state = await stateOf(bench);
      const next = writes === 1 ? [await ready.run(FINISH), (await bench.run('plan --exit-code')).code] : [];
      expect([code, writes, state, ...next]).toEqual(
        writes === 0 ? [130, 0, 'start'] : [code, 1, 'complete', { code: 0, writes: 0 }, 0],
      );
      if (writes === 1) {
        ready = await startInterrupted({ plan: 'pro' });
      }
    }
    expect(codes.filter((code) => code === 130).length).toBeGreaterThan(5);
  });

  test('at any request of a validation writes once in all, and a finish goes on from it', async () => {
    const { bench, run } = await startInterrupted({});
    const codes: number[] = [];
    let written = 0;
    for (let at = 1; codes.at(-1) !== 0; at += 1) {
      const { code, writes } = await run(VALIDATE, at);
      codes.push(code);
      written += writes;
      expect(await stateOf(bench)).toBe(written === 0 ? 'start' : 'validation');
    }
    expect(codes.filter((code) => code === 130).length).toBeGreaterThan(5);
    expect(written).toBe(1);
    expect((await bench.waf(`${FINISH} --allow all`)).code).toBe(0);
    await expectSettled(bench);
  });

  test.each([
    ['before', 'start', 4, 'the service may still take it: run rulewright waf status old.example before'],
    ['after', 'complete', 0, 'done'],
  ] as const)(
    'of the connection %s the write makes the run read the state, and not send the write again',
    async (moment, state, code, says) => {
      const bench = await startWafBench({
        faults: { method: 'PUT', nth: 1, effect: { kind: 'cut', moment } },
      });
      await bench.configure();
      bench.taken();
      const first = await bench.waf(FINISH);
      expect(bench.taken().filter((request) => request.startsWith('PUT'))).toHaveLength(1);
      expect([first.code, await stateOf(bench)]).toEqual([code, state]);
      expect(first.stdout.replaceAll(/\s+/gu, ' ')).toContain(says);
      expect((await bench.waf(FINISH)).code).toBe(0);
      await expectSettled(bench);
    },
  );
});

test('waf finish succeeds when its write arrives twice and the service refuses the second one', async () => {
  const bench = await startWafBench({ faults: { method: 'PUT', nth: 1, effect: { kind: 'twice' } } });
  await bench.configure();
  const ended = await bench.waf(FINISH);
  expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining('done')]);
  await expectSettled(bench);
});

describe('a migration that takes minutes', () => {
  /** A service that takes two minutes to migrate a zone, and runs that are interrupted at their `stopAt`-th wait. */
  async function startSlow() {
    const clock = createFakeClock();
    const bench = await startWafBench({ switches: { migrationTime: 'minutes' }, clock });
    await bench.configure();
    const waf = async (words: string, stopAt = Infinity) => {
      const control = new AbortController();
      const before = clock.slept.length;
      bench.taken();
      const ended = await bench.waf(words, {
        signal: control.signal,
        clock: {
          now: () => clock.now(),
          sleep: (ms, signal) => {
            const waiting = clock.sleep(ms, signal);
            if (clock.slept.length - before === stopAt) {
              control.abort();
            }
            return waiting;
          },
        },
      });
      const slept = clock.slept.slice(before).reduce((sum, ms) => sum + ms, 0);
      return { ...ended, slept, writes: bench.taken().filter((request) => request.endsWith('*')).length };
    };
    return { bench, waf };
  }

  test('is waited for, with its progress on stderr', async () => {
    const { bench, waf } = await startSlow();
    const ended = await waf(FINISH);
    expect([ended.code, ended.writes, ended.slept]).toEqual([0, 1, 120_000]);
    expect(ended.stdout).toContain('state: start (previous WAF only) → complete (migrated)');
    expect(ended.stderr.split('\n').filter((line) => line.startsWith('waiting'))).toEqual(
      ['0 s', '60 s'].map((time) => `waiting for zone:old.example to be migrated: pending, ${time}`),
    );
    await expectSettled(bench);
  });

  test('is waited for even if the journal cannot be written any more, because there is no way back', async () => {
    const { bench, waf } = await startSlow();
    await fillDisk((text) => /^\{"at":\d+,"run":"[^"]+","kind":"(?!run|intent)/u.test(text));
    const ended = await waf(FINISH);
    expect([ended.code, ended.writes]).toEqual([0, 1]);
    expect(ended.stderr).toContain('ENOSPC');
    await expectSettled(bench);
  });

  test('continues when the wait is interrupted; finish then waits again and writes nothing', async () => {
    const { bench, waf } = await startSlow();
    const first = await waf(FINISH, 3);
    expect([first.code, first.writes, await stateOf(bench)]).toEqual([4, 1, 'pending']);
    expect(first.stdout.replaceAll(/\s+/gu, ' ')).toContain(
      'interrupted: pending; the service continues the migration hint: rulewright waf finish old.example waits again, rulewright waf status old.example looks once',
    );
    const second = await waf('finish old.example', 2);
    expect([second.code, second.writes, await stateOf(bench)]).toEqual([4, 0, 'pending']);
    const third = await waf('finish old.example');
    expect([third.code, third.writes]).toEqual([0, 0]);
    expect(third.stdout).toContain('→ complete (migrated)');
    await expectSettled(bench);
  });

  test('refuses another step meanwhile, and still shows its status', async () => {
    const { waf } = await startSlow();
    await waf(FINISH, 1);
    const validate = await waf(VALIDATE);
    expect([validate.code, validate.writes]).toEqual([3, 0]);
    const status = await waf('status old.example');
    expect(status.stdout).toContain('rulewright waf finish old.example');
  });
});

test('apply reports a waf step that a crash kept from being sent as not begun', async () => {
  const bench = await startWafBench({
    faults: { method: 'PUT', nth: 1, effect: { kind: 'error', status: 403 } },
  });
  await bench.configure();
  expect((await bench.waf(FINISH)).code).toBe(1);
  const path = join(bench.folder, '.rulewright', 'journal.jsonl');
  const [head, intent] = (await readFile(path, 'utf8')).split('\n');
  // A time long ago, because a request that was sent just now could still be on its way.
  const sent = intent?.replace(/"at":\d+/u, '"at":1');
  await writeFile(path, `${head}\n${sent}\n`);
  const { stderr } = await bench.run('apply --dry-run');
  expect(stderr).toContain('not begun    zone:old.example/http_request_firewall_managed');
});
