import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Setting } from '../../cli/in-process.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { bypass } from '../../emulator/migration-zone.ts';
import { startWafBench } from './waf-bench.ts';
import type { BenchOptions, WafBench } from './waf-bench.ts';

const FINISH = 'finish old.example --confirm old.example';
const REMOVE = 'remove-overrides old.example --allow irreversible';
const OVERRIDE = { urls: ['old.example/upload*'], rules: { 100015: 'disable' }, description: 'Upload form' };

/** A bench whose files have the managed rules of the generated configuration, whatever the state of the zone. */
async function benchWithRules(options: BenchOptions = {}): Promise<WafBench> {
  const bench = await startWafBench(options);
  await writeFile(
    join(bench.folder, 'zones', 'managed.yaml'),
    `zone: old.example
entrypoints:
  http_request_firewall_managed:
    rules:
      - ref: managed-ruleset
        action: execute
        expression: 'true'
        action_parameters: { id: efb7b8c949ac4650a09736fc376e9aee }
`,
  );
  return bench;
}

/** Runs `rulewright waf …`, and expects that it writes nothing to the service. */
async function refused(
  bench: WafBench,
  words: string,
  setting: Setting = {},
): Promise<{ code: number; text: string }> {
  bench.taken();
  const { code, stdout, stderr } = await bench.waf(words, setting);
  expect(bench.taken().filter((request) => request.endsWith('*'))).toEqual([]);
  return { code, text: `${stdout}${stderr}`.replaceAll(/\s+/gu, ' ') };
}

describe('waf commands and the state of the zone', () => {
  test.each([
    ['validate --yes', 'pro', 'start', 3, 'validation mode is for Enterprise zones, and this one is pro'],
    ['validate --yes', 'enterprise', 'complete', 0, 'the zone is migrated state: complete'],
    ['finish', 'enterprise', 'complete', 0, 'the zone is migrated'],
    ['validate --yes', 'business', 'validation', 3, 'validation mode is for Enterprise zones'],
  ] as const)(
    '%s, on a zone of plan %s in the state %s, writes nothing and says why',
    async (words, plan, state, code, says) => {
      const bench = await benchWithRules({ zone: { plan, waf_migration: { state } } });
      const [step = '', ...flags] = words.split(' ');
      const run = await refused(bench, [step, 'old.example', ...flags].join(' '));
      expect(run.text).toContain(says);
      expect(run.code).toBe(code);
    },
  );

  test('finish does nothing in a zone that never had the old WAF', async () => {
    const bench = await benchWithRules({ zone: { waf_migration: null } });
    expect(await refused(bench, FINISH)).toMatchObject({
      code: 0,
      text: expect.stringContaining('never had the previous WAF'),
    });
  });

  test('finish is refused in a Free zone', async () => {
    const bench = await benchWithRules({ zone: { plan: 'free', waf_migration: null } });
    expect(await refused(bench, FINISH)).toMatchObject({
      code: 3,
      text: expect.stringContaining('the plan level of the zone has no managed rules to migrate'),
    });
    expect((await bench.waf('status old.example')).stdout).toContain('no migration on this plan level');
  });

  test('finish is refused until remove-overrides, once allowed and confirmed, has deleted the URI-based overrides', async () => {
    const bench = await benchWithRules({ zone: { waf: { overrides: [OVERRIDE] } } });
    expect(await refused(bench, FINISH)).toMatchObject({
      code: 3,
      text: expect.stringContaining('1 URI-based override of the old WAF'),
    });
    expect(await refused(bench, 'check old.example')).toMatchObject({
      code: 2,
      text: expect.stringContaining('old.example/upload*: 100015 disable · Upload form'),
    });
    expect(await refused(bench, 'remove-overrides old.example --yes')).toMatchObject({
      code: 3,
      text: expect.stringContaining('To allow it for this run: --allow irreversible'),
    });
    expect(await refused(bench, REMOVE)).toMatchObject({ code: 3 });
    expect(await refused(bench, REMOVE, { answer: false })).toMatchObject({ code: 3 });
    expect(await refused(bench, `${REMOVE} --dry-run`)).toMatchObject({ code: 0 });
    const removed = await bench.waf(REMOVE, { answer: true });
    expect([removed.code, removed.questions]).toEqual([
      0,
      [expect.stringContaining('Delete 1 old object of old.example')],
    ]);
    const [, snapshot = ''] = /Snapshot: (\.rulewright\/waf\/old\.example-\S+)/u.exec(removed.stdout) ?? [];
    expect(JSON.parse(await readFile(join(bench.folder, snapshot), 'utf8'))).toMatchObject({
      overrides: [{ urls: OVERRIDE.urls, rules: OVERRIDE.rules }],
    });
    const journal = await readFile(join(bench.folder, '.rulewright', 'retired.jsonl'), 'utf8');
    expect(journal).toContain('"base":{"id":');
    expect(journal).toContain('"urls":["old.example/upload*"]');
    expect(bench.taken().filter((request) => request.endsWith('*'))).toEqual([
      expect.stringMatching(/^DELETE /u),
    ]);
    expect((await bench.waf('check old.example')).stdout).toContain('can be migrated');
    expect((await bench.waf(FINISH)).code).toBe(0);
  });

  test.each([
    ['complete', 'business', 0, '0 old objects to delete'],
    ['start', 'free', 3, 'Free zones have no managed rules to migrate. Nothing was deleted.'],
  ] as const)(
    'remove-overrides deletes nothing in the state %s of a %s zone',
    async (state, plan, code, says) => {
      const bench = await startWafBench({ zone: { plan, waf_migration: { state } } });
      expect(await refused(bench, REMOVE)).toMatchObject({ code, text: expect.stringContaining(says) });
    },
  );

  test('remove-overrides looks whether an override is gone when the answer to its deletion is lost', async () => {
    const bench = await startWafBench({
      zone: { waf: { overrides: [OVERRIDE, OVERRIDE] } },
      faults: { method: 'DELETE', nth: 1, effect: { kind: 'cut', moment: 'after' } },
    });
    const removed = await bench.waf(`${REMOVE} --yes`);
    expect([removed.code, removed.stdout]).toEqual([0, expect.stringContaining('2 old objects deleted.')]);
  });

  test('remove-overrides reports error 10020 of the service and the overrides that it did not delete', async () => {
    const bench = await startWafBench({
      zone: { waf: { overrides: [OVERRIDE] } },
      faults: {
        method: 'DELETE',
        effect: { kind: 'error', status: 403, errors: [{ code: 10020, message: 'in maintenance mode' }] },
      },
    });
    const removed = await bench.waf(`${REMOVE} --yes`);
    expect(removed.code).toBe(1);
    expect(removed.stdout).toContain('10020');
    expect(removed.stdout).toContain('0 old objects deleted, 1 not done.');
    expect(removed.stdout.replaceAll(/\s+/gu, ' ')).toContain(`To go on: rulewright waf ${REMOVE}`);
  });

  test('check reports more than 200 firewall rules and an expression over 4 KB as obstacles', async () => {
    const many = Array.from({ length: 201 }, (_, index) => bypass(`http.request.uri.path eq "/${index}"`));
    const long = bypass(`http.request.uri.path eq "/${'x'.repeat(4100)}"`);
    const zone = { firewall: { rules: 'two_lists' } };
    const bench = await startWafBench({ zone: { ...zone, firewall_rules: [...many, long] } });
    const { code, text } = await refused(bench, 'check old.example');
    expect(code).toBe(2);
    expect(text).toContain('202 firewall rules to carry over, more than 200');
    expect(text).toContain('1 firewall rule has an expression over 4 KB');
  });
});

describe('safeguards of the waf commands', () => {
  test('finish writes only after the name of the zone or a confirmation', async () => {
    const bench = await benchWithRules();
    expect(await refused(bench, 'finish old.example')).toMatchObject({
      code: 3,
      text: expect.stringContaining('--confirm old.example'),
    });
    expect(await refused(bench, 'finish old.example', { answer: false })).toMatchObject({ code: 3 });
    expect(await refused(bench, 'finish old.example --confirm other.example')).toMatchObject({ code: 64 });
    expect(await refused(bench, 'finish old.example --dry-run')).toMatchObject({
      code: 0,
      text: expect.stringContaining('THERE IS NO WAY BACK'),
    });
    expect((await bench.waf('finish old.example', { answer: true })).code).toBe(0);
  });

  test('finish --format json has the refusals of the guards, as that of apply has', async () => {
    const bench = await benchWithRules();
    const safety = 'safety: { accounts: [01a7362d577a6c3019a474fd6f485823] }';
    await writeFile(
      join(bench.folder, 'rulewright.yaml'),
      `version: 1\nfiles: ["zones/*.yaml"]\n${safety}\n`,
    );
    const { code, stdout } = await bench.waf(`${FINISH} --format json`);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      3,
      { outcome: { kind: 'refused', code: 'waf/guarded' }, refusals: [{ kind: 'account' }] },
    ]);
  });

  test('finish fails without managed rules in the files, and says which command writes them', async () => {
    const bench = await startWafBench();
    expect(await refused(bench, FINISH)).toMatchObject({
      code: 1,
      text: expect.stringContaining('rulewright waf config old.example --output FILE writes them'),
    });
  });

  test('config does not replace an existing file', async () => {
    const bench = await startWafBench();
    await bench.configure();
    const file = join(bench.folder, 'zones', 'managed.yaml');
    const reviewed = `${await readFile(file, 'utf8')}# reviewed\n`;
    await writeFile(file, reviewed);
    const again = await bench.waf('config old.example --output zones/managed.yaml');
    expect([again.code, await readFile(file, 'utf8')]).toEqual([1, reviewed]);
  });

  test('config fails for a migrated zone, which has no configuration to review', async () => {
    const bench = await startWafBench({ zone: { waf_migration: { state: 'complete' } } });
    const { code, text } = await refused(bench, 'config old.example');
    expect([code, text]).toEqual([
      1,
      expect.stringContaining('has no configuration to review: the zone is migrated'),
    ]);
  });

  test('status refuses an account as wrong usage', async () => {
    const bench = await startWafBench();
    expect(await refused(bench, 'status account:A')).toMatchObject({
      code: 64,
      text: expect.stringContaining('expected a zone'),
    });
  });

  test('status reports the other zones when one cannot be read', async () => {
    const bench = await startWafBench();
    const { code, stdout } = await bench.waf('status old.example nowhere.example');
    expect([code, stdout]).toEqual([1, expect.stringContaining('2 zones, 1 not read.')]);
    expect(stdout).toContain('start (previous WAF only)');
  });
});

describe('an ordinary apply', () => {
  const apply = 'apply --yes --allow all';

  test.each(['start', 'validation'])(
    'refuses the managed rules of a zone in the state %s, as the plan warns, and names the waf command',
    async (state) => {
      const bench = await benchWithRules({ zone: { waf_migration: { state } } });
      const command = `rulewright waf ${state === 'start' ? 'check' : 'finish'} old.example`;
      const planned = await bench.run('plan --out plan.json --format json');
      expect(JSON.parse(planned.stdout)).toMatchObject({
        scopes: [{ findings: [{ kind: 'migration', message: expect.stringContaining(command) }] }],
      });
      bench.taken();
      const { code, stderr } = await bench.run(apply);
      const writes = bench.taken().filter((request) => request.endsWith('*'));
      expect([code, writes, stderr]).toEqual([3, [], expect.stringContaining('Nothing allows `migration`')]);
      const saved = await bench.run('apply plan.json --yes --allow all');
      expect([saved.code, saved.stdout]).toEqual([3, expect.stringContaining('apply/waf-migration')]);
    },
  );

  test('refuses new managed rules when the service fails to tell the state of the migration', async () => {
    const bench = await benchWithRules({
      zone: { waf_migration: { state: 'complete' } },
      faults: {
        path: '/zones/*/waf_migration/status',
        effect: { kind: 'error', status: 500, errors: [] },
      },
    });
    bench.taken();
    const { code, stdout } = await bench.run(apply, { clock: createFakeClock() });
    const writes = bench.taken().filter((request) => request.endsWith('*'));
    expect([code, writes, stdout]).toEqual([3, [], expect.stringContaining('apply/waf-not-checked')]);
  });

  test('changes existing managed rules when the service fails to tell the state, and reports that it is not checked', async () => {
    const rule = { ref: 'managed-ruleset', action: 'execute', expression: 'ssl' };
    const action_parameters = { id: 'efb7b8c949ac4650a09736fc376e9aee' };
    const bench = await benchWithRules({
      zone: {
        waf_migration: { state: 'complete' },
        rulesets: [
          { kind: 'zone', phase: 'http_request_firewall_managed', rules: [{ ...rule, action_parameters }] },
        ],
      },
      faults: {
        path: '/zones/*/waf_migration/status',
        effect: { kind: 'error', status: 500, errors: [] },
      },
    });
    const { code, stderr } = await bench.run(apply, { clock: createFakeClock() });
    expect([code, stderr]).toEqual([0, expect.stringContaining('not checked: whether zone:old.example')]);
  });

  test('writes the managed rules of a migrated zone, and reads the state for no other phase', async () => {
    const bench = await benchWithRules({ zone: { waf_migration: { state: 'complete' } } });
    expect((await bench.run(apply)).code).toBe(0);
    expect(bench.taken().filter((request) => request.includes('waf_migration'))).toHaveLength(2);
    await writeFile(
      join(bench.folder, 'zones', 'other.yaml'),
      'zone: old.example\nentrypoints: { http_ratelimit: { rules: [] } }\n',
    );
    await bench.run(apply);
    expect(bench.taken().filter((request) => request.includes('waf_migration'))).toEqual([]);
  });

  test('tries the write when the token may not read the state, and explains the refusal of the service', async () => {
    const bench = await benchWithRules({
      zone: { plan: 'pro' },
      faults: {
        path: '/zones/*/waf_migration/status',
        effect: { kind: 'error', status: 403, errors: [{ code: 10000, message: 'Authentication error' }] },
      },
    });
    const { code, stdout, stderr } = await bench.run(`${apply} --preflight off`);
    expect(stderr).toContain('not checked: whether zone:old.example is migrated');
    expect(stdout.replaceAll(/\s+/gu, ' ')).toContain('rulewright waf check says how to migrate it');
    expect(code).toBe(1);
  });
});
