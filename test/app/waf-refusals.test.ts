import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import type { Setting } from '../cli/in-process.ts';
import { bypass } from '../emulator/migration-zone.ts';
import { startWafBench } from './waf-bench.ts';
import type { BenchOptions, WafBench } from './waf-bench.ts';

const FINISH = 'finish old.example --confirm old.example';
const REMOVE = 'remove-overrides old.example --allow irreversible';
const OVERRIDE = { urls: ['old.example/upload*'], rules: { 100015: 'disable' }, description: 'Upload form' };

/** A bench with the managed rules of the generated configuration in its files, whatever the zone's state. */
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

/** Runs, and requires that nothing was written. */
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

describe('a step that does not fit is refused with the state, and nothing is written', () => {
  test.each([
    ['validate --yes', 'pro', 'start', 3, 'validation mode is for Enterprise zones, and this one is pro'],
    ['validate --yes', 'enterprise', 'complete', 0, 'the zone is migrated state: complete'],
    ['finish', 'enterprise', 'complete', 0, 'the zone is migrated'],
    ['validate --yes', 'business', 'validation', 3, 'validation mode is for Enterprise zones'],
  ] as const)('%s on %s in %s', async (words, plan, state, code, says) => {
    const bench = await benchWithRules({ zone: { plan, waf_migration: { state } } });
    const [step = '', ...flags] = words.split(' ');
    const run = await refused(bench, [step, 'old.example', ...flags].join(' '));
    expect(run.text).toContain(says);
    expect(run.code).toBe(code);
  });

  test('a zone that was born on the new managed rules', async () => {
    const bench = await benchWithRules({ zone: { waf_migration: null } });
    expect(await refused(bench, FINISH)).toMatchObject({
      code: 0,
      text: expect.stringContaining('never had the previous WAF'),
    });
  });

  test('a Free zone', async () => {
    const bench = await benchWithRules({ zone: { plan: 'free', waf_migration: null } });
    expect(await refused(bench, FINISH)).toMatchObject({
      code: 3,
      text: expect.stringContaining('the plan level of the zone has no managed rules to migrate'),
    });
    expect((await bench.waf('status old.example')).stdout).toContain('no migration on this plan level');
  });

  test('a zone with URI-based overrides names them; deleting them is asked for and makes it eligible', async () => {
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
    const [, snapshot = ''] = /snapshot: (\.rulewright\/waf\/old\.example-\S+)/u.exec(removed.stdout) ?? [];
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
    'in the state %s of a %s zone no override is to be deleted',
    async (state, plan, code, says) => {
      const bench = await startWafBench({ zone: { plan, waf_migration: { state } } });
      expect(await refused(bench, REMOVE)).toMatchObject({ code, text: expect.stringContaining(says) });
    },
  );

  test('an answer that is lost while overrides are deleted is looked up', async () => {
    const bench = await startWafBench({
      zone: { waf: { overrides: [OVERRIDE, OVERRIDE] } },
      faults: { method: 'DELETE', nth: 1, effect: { kind: 'cut', moment: 'after' } },
    });
    const removed = await bench.waf(`${REMOVE} --yes`);
    expect([removed.code, removed.stdout]).toEqual([0, expect.stringContaining('2 old objects deleted.')]);
  });

  test('old writes that the service has ended (10020): said, nothing lost', async () => {
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

  test('more than 200 firewall rules, and an expression over 4 KB', async () => {
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

describe('nothing is done that was not asked', () => {
  test('a finish wants the name of the zone', async () => {
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

  test('what a guard refuses is in its JSON, as in that of apply', async () => {
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

  test('without reviewed rules in the files there is nothing to send', async () => {
    const bench = await startWafBench();
    expect(await refused(bench, FINISH)).toMatchObject({
      code: 1,
      text: expect.stringContaining('rulewright waf config old.example --output FILE writes them'),
    });
  });

  test('a configuration does not replace a file of the project', async () => {
    const bench = await startWafBench();
    await bench.configure();
    const file = join(bench.folder, 'zones', 'managed.yaml');
    const reviewed = `${await readFile(file, 'utf8')}# reviewed\n`;
    await writeFile(file, reviewed);
    const again = await bench.waf('config old.example --output zones/managed.yaml');
    expect([again.code, await readFile(file, 'utf8')]).toEqual([1, reviewed]);
  });

  test('a configuration of a migrated zone is an error that says what to do', async () => {
    const bench = await startWafBench({ zone: { waf_migration: { state: 'complete' } } });
    const { code, text } = await refused(bench, 'config old.example');
    expect([code, text]).toEqual([
      1,
      expect.stringContaining('has no configuration to review: the zone is migrated'),
    ]);
  });

  test('an account has no old WAF', async () => {
    const bench = await startWafBench();
    expect(await refused(bench, 'status account:A')).toMatchObject({
      code: 64,
      text: expect.stringContaining('expected a zone'),
    });
  });

  test('zones that cannot be read fail alone', async () => {
    const bench = await startWafBench();
    const { code, stdout } = await bench.waf('status old.example nowhere.example');
    expect([code, stdout]).toEqual([1, expect.stringContaining('2 zones, 1 not read.')]);
    expect(stdout).toContain('start (previous WAF only)');
  });
});

describe('ordinary apply', () => {
  const apply = 'apply --yes --allow all';

  test.each(['start', 'validation'])(
    'refuses the managed rules of a zone in %s, as the plan says, with the command',
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

  test('refuses them where the service does not say how far the zone is', async () => {
    const bench = await benchWithRules({
      zone: { waf_migration: { state: 'complete' } },
      faults: {
        path: '/zones/*/waf_migration/status',
        effect: { kind: 'error', status: 500, errors: [] },
      },
    });
    bench.taken();
    const { code, stdout } = await bench.run(apply);
    const writes = bench.taken().filter((request) => request.endsWith('*'));
    expect([code, writes, stdout]).toEqual([3, [], expect.stringContaining('apply/waf-not-checked')]);
  });

  test('changes those that are there where the service does not say it, and tells', async () => {
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
    const { code, stderr } = await bench.run(apply);
    expect([code, stderr]).toEqual([0, expect.stringContaining('not checked: whether zone:old.example')]);
  });

  test('writes those of a migrated zone, and asks about no other phase', async () => {
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

  test('goes on where the status may not be read, says so, and explains the refusal of the service', async () => {
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
