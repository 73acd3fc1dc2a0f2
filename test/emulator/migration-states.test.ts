import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { entryPoint, refusalOf, startBench } from './bench.ts';
import type { Bench } from './bench.ts';
import {
  CHECK,
  CONFIG,
  CMR,
  executeRule,
  MANAGED,
  migration,
  oldZone,
  OVERRIDES,
  OWASP,
  PACKAGES,
  STATUS,
  zone,
} from './migration-zone.ts';
import type { Configuration, Status, Steps } from './migration-zone.ts';

const rules = [executeRule(CMR), executeRule(OWASP)];

async function steps(bench: Bench): Promise<Steps> {
  return (await (await bench.control('GET', '/waf-migration/old.example')).json()) as Steps;
}

function told({ steps }: Steps): readonly unknown[] {
  return steps.map((step) => [step.step, step.old_waf_status, step.new_waf_status, step.migration_state]);
}

const started = (plan: string, switches = {}) => startBench({ seed: oldZone({ plan }), switches });

describe('specification 3.1, the table', () => {
  test.each(['validation', '2'])(
    'row 1: previous WAF only, PUT with waf_migration=%s and phase_two=1, Enterprise: both enabled',
    async (value) => {
      const bench = await started('enterprise');
      const ruleset = await bench.ok('PUT', migration(value), { name: 'default', rules });
      expect(ruleset.rules?.map((rule) => rule.action_parameters?.['id'])).toEqual([CMR, OWASP]);
      expect(await bench.ok('GET', entryPoint(zone, MANAGED))).toEqual(ruleset);
      expect(await bench.ok<Status>('GET', STATUS)).toMatchObject({
        old_waf_status: 'enabled',
        new_waf_status: 'enabled',
        migration_state: 'validation',
      });
      expect(told(await steps(bench))).toEqual([
        ['configuration saved', 'enabled', 'disabled', 'start'],
        ['new managed rules enabled', 'enabled', 'enabled', 'validation'],
      ]);
    },
  );

  test.each([
    ['pending', 'pro'],
    ['pending', 'business'],
    ['pending', 'enterprise'],
    ['1', 'pro'],
    ['1', 'business'],
    ['1', 'enterprise'],
  ])(
    'row 2: previous WAF only, PUT with waf_migration=%s and phase_two=1, %s: new managed rules only, protected all the time',
    async (value, plan) => {
      const bench = await started(plan);
      await bench.ok('PUT', migration(value), { rules });
      expect(await bench.ok<Status>('GET', STATUS)).toMatchObject({
        old_waf_status: 'disabled',
        new_waf_status: 'enabled',
        migration_state: 'complete',
      });
      expect(told(await steps(bench))).toEqual([
        ['configuration saved', 'enabled', 'disabled', 'start'],
        ['new managed rules enabled', 'enabled', 'enabled', 'pending'],
        ['previous WAF disabled', 'disabled', 'enabled', 'complete'],
      ]);
    },
  );

  test.each(['pending', '1'])(
    'row 3: both enabled, PUT with waf_migration=%s: new managed rules only, the previous version disabled',
    async (value) => {
      const bench = await started('enterprise');
      await bench.ok('PUT', migration('validation'), { rules });
      const adjusted = [executeRule(CMR, { description: 'adjusted' })];
      const ruleset = await bench.ok('PUT', migration(value), { rules: adjusted });
      expect(ruleset.rules?.map((rule) => rule.description)).toEqual(['adjusted']);
      expect(await bench.ok<Status>('GET', STATUS)).toMatchObject({ migration_state: 'complete' });
      expect(told(await steps(bench)).slice(2)).toEqual([
        ['configuration saved', 'enabled', 'enabled', 'validation'],
        ['previous WAF disabled', 'disabled', 'enabled', 'complete'],
      ]);
    },
  );

  test.each(['pro', 'business'])(
    'row 4: previous WAF only, update started in the dashboard of a %s zone: new managed rules only, after a couple of minutes',
    async (plan) => {
      const bench = await started(plan, { migrationTime: 'minutes' });
      const config = await bench.ok<Configuration>('GET', CONFIG);
      expect((await bench.control('POST', '/waf-migration/old.example/deploy')).status).toBe(200);
      expect(await bench.ok<Status>('GET', STATUS)).toMatchObject({
        old_waf_status: 'enabled',
        new_waf_status: 'enabled',
        migration_state: 'pending',
      });
      bench.clock.advance(120_000);
      expect(await bench.ok<Status>('GET', STATUS)).toMatchObject({
        old_waf_status: 'disabled',
        new_waf_status: 'enabled',
        migration_state: 'complete',
      });
      const live = await bench.ok('GET', entryPoint(zone, MANAGED));
      expect(live.rules?.map((rule) => rule.action_parameters)).toEqual(
        config.rules.map((rule) => rule.action_parameters),
      );
      const { steps: all } = await steps(bench);
      expect(all.map((step) => step.cause)).toEqual(['dashboard', 'dashboard', 'service']);
    },
  );

  test('row 5: previous WAF only, deployed in the dashboard of an Enterprise zone: both enabled; turning off the previous version finishes', async () => {
    const bench = await started('enterprise');
    expect((await bench.control('POST', '/waf-migration/old.example/deploy')).status).toBe(200);
    expect(await bench.ok<Status>('GET', STATUS)).toMatchObject({ migration_state: 'validation' });
    const live = await bench.ok('GET', entryPoint(zone, MANAGED));
    expect((await bench.control('POST', '/waf-migration/old.example/turn-off')).status).toBe(200);
    expect(await bench.ok<Status>('GET', STATUS)).toMatchObject({ migration_state: 'complete' });
    expect((await bench.ok('GET', entryPoint(zone, MANAGED))).rules).toEqual(live.rules);
  });
});

describe('specification 3.1, before the table', () => {
  test('in validation mode the new managed rules run before the previous version', async () => {
    const bench = await started('enterprise');
    expect((await steps(bench)).order).toEqual(['old']);
    await bench.ok('PUT', migration('validation'), { rules });
    expect((await steps(bench)).order).toEqual(['new', 'old']);
    await bench.ok('PUT', migration('pending'), { rules });
    expect((await steps(bench)).order).toEqual(['new']);
  });

  test.each([
    ['immediate', ['validation', 'pending']],
    ['immediate', ['pending']],
    ['minutes', ['validation', 'validation', 'pending']],
    ['minutes', ['pending']],
  ] as const)('no step of a migration (%s, %j) leaves a zone without managed rules', async (time, words) => {
    const bench = await started('enterprise', { migrationTime: time });
    for (const word of words) {
      await bench.ok('PUT', migration(word), { rules });
    }
    bench.clock.advance(3_600_000);
    const { steps: all, migration_state } = await steps(bench);
    expect(migration_state).toBe('complete');
    expect(all.length).toBeGreaterThan(2);
    expect(
      all.filter((step) => step.old_waf_status === 'disabled' && step.new_waf_status === 'disabled'),
    ).toEqual([]);
    expect(all.map((step) => step.at)).toEqual(all.map((step) => step.at).toSorted());
  });
});

describe('specification 3.1, the rules', () => {
  test.each(['pending', 'validation', '1', '2'])(
    'rule 1: the migration is irreversible (waf_migration=%s afterwards)',
    async (value) => {
      const bench = await started('enterprise');
      await bench.ok('PUT', migration('pending'), { rules });
      const before = bench.service.store.content();
      const reply = await bench.call('PUT', migration(value), { rules: [] });
      expect(refusalOf(reply)).toMatchObject({
        status: 400,
        message: expect.stringContaining('cannot be reversed') as string,
      });
      expect(bench.service.store.content()).toEqual(before);
      for (const way of ['deploy', 'turn-off']) {
        expect((await bench.control('POST', `/waf-migration/old.example/${way}`)).status).toBe(400);
      }
      expect(bench.service.store.content()).toEqual(before);
    },
  );

  test('rule 2: after the migration the previous WAF’s endpoints stop working, and not before', async () => {
    const bench = await started('enterprise');
    const [first] = await bench.ok<readonly { readonly id: string }[]>('GET', PACKAGES);
    const calls = [
      ['GET', PACKAGES],
      ['GET', `${PACKAGES}/${first?.id}`],
      ['GET', `${PACKAGES}/${first?.id}/groups`],
      ['GET', `${PACKAGES}/${first?.id}/rules`],
      ['GET', OVERRIDES],
    ] as const;
    for (const word of ['validation', 'pending']) {
      for (const [method, path] of calls) {
        expect((await bench.call(method, path)).status).toBe(200);
      }
      await bench.ok('PUT', migration(word), { rules });
    }
    for (const [method, path] of calls) {
      expect((await bench.call(method, path)).status).toBe(410);
    }
    const write = await bench.call('POST', OVERRIDES, {
      urls: ['old.example'],
      rules: { 100015: 'disable' },
    });
    expect(write.status).toBe(410);
  });

  test('rule 2: the endpoints go on working until a finish that takes time has ended', async () => {
    const bench = await started('pro', { migrationTime: 'minutes' });
    await bench.ok('PUT', migration('pending'), { rules });
    expect((await bench.call('GET', PACKAGES)).status).toBe(200);
    bench.clock.advance(119_000);
    expect((await bench.call('GET', PACKAGES)).status).toBe(200);
    bench.clock.advance(1000);
    expect((await bench.call('GET', PACKAGES)).status).toBe(410);
  });

  test.each(['pro', 'business'])('rule 3: a %s zone has no validation mode', async (plan) => {
    const bench = await started(plan);
    const reply = await bench.call('PUT', migration('validation'), { rules });
    expect(refusalOf(reply)).toMatchObject({
      status: 400,
      message: 'validation mode is available for Enterprise zones only',
    });
    expect(await bench.ok<Status>('GET', STATUS)).toMatchObject({ migration_state: 'start' });
    expect((await bench.call('GET', entryPoint(zone, MANAGED))).status).toBe(404);
  });

  test('rule 4: URI-based overrides keep a zone from migrating until they are deleted', async () => {
    const overrides = [{ urls: ['old.example/upload*'], rules: { 100203: 'disable' } }];
    const bench = await startBench({ seed: oldZone({ plan: 'business', waf: { overrides } }) });
    expect(await bench.ok('GET', CHECK)).toEqual({ compatible: false });
    expect((await bench.call('GET', CONFIG)).status).toBe(400);
    expect((await bench.call('PUT', migration('pending'), { rules })).status).toBe(400);
    expect((await steps(bench)).blockers).toEqual(['1 URI-based WAF override has to be deleted first']);
    const [override] = await bench.ok<readonly { readonly id: string }[]>('GET', OVERRIDES);
    await bench.ok('DELETE', `${OVERRIDES}/${override?.id}`);
    expect(await bench.ok('GET', CHECK)).toEqual({ compatible: true, migration_state: 'start' });
    await bench.ok('PUT', migration('pending'), { rules });
  });

  test('rule 5: the migration_state of an untouched compatible zone is start, whatever is read', async () => {
    const bench = await started('business');
    for (const path of [CHECK, CONFIG, STATUS, CHECK]) {
      await bench.ok('GET', path);
    }
    expect(await bench.ok('GET', CHECK)).toEqual({ compatible: true, migration_state: 'start' });
  });

  test('rule 6: the status names old WAF, new WAF and migration_state in every state', async () => {
    const bench = await started('enterprise');
    const seen = [await bench.ok<Status>('GET', STATUS)];
    for (const word of ['validation', 'pending']) {
      await bench.ok('PUT', migration(word), { rules });
      seen.push(await bench.ok<Status>('GET', STATUS));
    }
    expect(
      seen.map((status) => [status.old_waf_status, status.new_waf_status, status.migration_state]),
    ).toEqual([
      ['enabled', 'disabled', 'start'],
      ['enabled', 'enabled', 'validation'],
      ['disabled', 'enabled', 'complete'],
    ]);
    expect(new Set(seen.map((status) => `${status.source} ${status.created}`))).toEqual(
      new Set(['zone 2026-01-02T03:04:05Z']),
    );
  });
});

describe('zones and phases without a migration', () => {
  test('a zone created with the new managed rules: state default, not compatible, no old WAF (api.md 10.1, 10.2)', async () => {
    const zones = [{ name: 'old.example', plan: 'enterprise' }];
    const bench = await startBench({ seed: { version: 1, accounts: [{ name: 'A' }], zones } });
    expect(await bench.ok<Status>('GET', STATUS)).toMatchObject({
      old_waf_status: 'disabled',
      new_waf_status: 'enabled',
      migration_state: 'default',
      source: 'defaults',
    });
    expect(await bench.ok('GET', CHECK)).toEqual({ compatible: false });
    expect((await bench.call('GET', CONFIG)).status).toBe(400);
    expect((await bench.call('GET', PACKAGES)).status).toBe(410);
    expect((await bench.call('PUT', migration('pending'), { rules })).status).toBe(400);
    await bench.ok('PUT', entryPoint(zone, MANAGED), { rules });
  });

  test('a Free zone: the endpoints fail (api.md 10.1)', async () => {
    const bench = await started('free');
    for (const path of [CHECK, CONFIG, STATUS]) {
      expect((await bench.call('GET', path)).status).toBe(404);
    }
    expect((await bench.call('PUT', migration('pending'), { rules })).status).toBe(404);
  });

  test('another phase: waf_migration has no effect', async () => {
    const bench = await started('enterprise');
    const custom = `${entryPoint(zone, 'http_request_firewall_custom')}?waf_migration=pending&phase_two=1`;
    await bench.ok('PUT', custom, { rules: [] });
    expect(await bench.ok<Status>('GET', STATUS)).toMatchObject({ migration_state: 'start' });
  });
});

describe('a finish that takes time', () => {
  test('allows no second step, and stores nothing when it ends', async () => {
    const bench = await started('enterprise', { migrationTime: 'minutes' });
    await bench.ok('PUT', migration('pending'), { rules });
    expect(await bench.ok('GET', CHECK)).toEqual({ compatible: false });
    expect(refusalOf(await bench.call('PUT', migration('pending'), { rules })).message).toContain(
      'being finished',
    );
    const content = bench.service.store.content();
    bench.clock.advance(200_000);
    expect(await bench.ok<Status>('GET', STATUS)).toMatchObject({ migration_state: 'complete' });
    expect(bench.service.store.content()).toEqual(content);
  });

  test('goes on after a restart from the state file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'emulator-migration-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const stateFile = join(folder, 'state.json');
    const options = { seed: oldZone(), stateFile, switches: { migrationTime: 'minutes' } } as const;
    const first = await startBench(options);
    await first.ok('PATCH', `${zone}/settings/brotli`, { value: 'off' });
    await first.ok('PUT', migration('pending'), { rules });
    const second = await startBench(options);
    expect(await second.ok<Status>('GET', STATUS)).toMatchObject({ migration_state: 'pending' });
    second.clock.advance(120_000);
    expect(await second.ok<Status>('GET', STATUS)).toMatchObject({ migration_state: 'complete' });
    expect(await second.ok('GET', `${zone}/settings/brotli`)).toMatchObject({ value: 'off' });
  });
});

describe('a step that is refused', () => {
  test.each([
    ['its body is not decodable', { kind: 'zone', rules }, 400],
    ['a rule is wrong', { rules: [executeRule('0'.repeat(32))] }, 400],
  ])('changes nothing: %s', async (_, body, status) => {
    const bench = await started('enterprise');
    const before = bench.service.store.content();
    const reply = await bench.call('PUT', migration('pending'), body);
    expect(reply.status).toBe(status);
    expect(bench.service.store.content()).toEqual(before);
  });

  test('changes nothing when the token lacks Zone WAF or Firewall Services (api.md 11.3)', async () => {
    const token = (name: string) => name.padEnd(40, '0');
    const tokens = {
      [token('waf')]: [{ permissions: ['Zone WAF Write'], resources: ['*'] }],
      [token('services')]: [{ permissions: ['Firewall Services Write'], resources: ['*'] }],
      [token('both')]: [{ permissions: ['Zone WAF Write', 'Firewall Services Write'], resources: ['*'] }],
      [token('reader')]: [{ permissions: ['Firewall Services Read'], resources: ['*'] }],
    };
    const bench = await startBench({ seed: { ...(oldZone() as object), tokens } });
    const as = (name: string) => ({ authorization: `Bearer ${token(name)}` });
    const before = bench.service.store.content();
    for (const name of ['waf', 'services', 'reader']) {
      expect((await bench.call('PUT', migration('pending'), { rules }, as(name))).status).toBe(403);
    }
    expect(bench.service.store.content()).toEqual(before);
    expect((await bench.call('GET', CHECK, undefined, as('reader'))).status).toBe(200);
    expect((await bench.call('GET', CHECK, undefined, as('waf'))).status).toBe(403);
    expect((await bench.call('PUT', migration('pending'), { rules }, as('both'))).status).toBe(200);
  });

  test('a dry run of a step stores nothing', async () => {
    const bench = await started('enterprise');
    const reply = await bench.call('PUT', migration('pending', { phase_two: '1', dry_run: 'true' }), {
      rules,
    });
    expect(reply).toMatchObject({ status: 200, body: { result: null } });
    expect(await bench.ok<Status>('GET', STATUS)).toMatchObject({ migration_state: 'start' });
  });
});

test('the control endpoint refuses an unknown zone by name, and a turn-off outside validation mode', async () => {
  const bench = await started('pro');
  const reply = await bench.control('POST', '/waf-migration/nowhere.example/deploy');
  expect([reply.status, await reply.json()]).toEqual([404, { error: 'there is no zone nowhere.example' }]);
  const early = await bench.control('POST', '/waf-migration/old.example/turn-off');
  expect([early.status, await early.json()]).toEqual([400, { error: 'the zone is not in validation mode' }]);
});
