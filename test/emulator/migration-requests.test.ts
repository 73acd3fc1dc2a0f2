import { describe, expect, test } from 'vitest';

import { api, blog, entryPoint, refusalOf, shop, startBench } from './bench.ts';
import {
  CHECK,
  CMR,
  CONFIG,
  executeRule,
  MANAGED,
  migration,
  oldZone,
  OVERRIDES,
  OWASP,
  STATUS,
  zone,
} from './migration-zone.ts';
import type { Configuration, Status } from './migration-zone.ts';

const rules = [executeRule(CMR)];

describe('specification 4.3, the operations', () => {
  test('check: answers {compatible, migration_state} (specification 2.7), without a state if not compatible', async () => {
    const bench = await startBench({ seed: oldZone() });
    expect(await bench.ok('GET', CHECK)).toEqual({ compatible: true, migration_state: 'start' });
    await bench.ok('PUT', migration('validation'), { rules });
    expect(await bench.ok('GET', CHECK)).toEqual({ compatible: true, migration_state: 'validation' });
    await bench.ok('PUT', migration('pending'), { rules });
    expect(await bench.ok('GET', CHECK)).toEqual({ compatible: false });
  });

  test('config: answers a ruleset of name and rules, which the PUT accepts unchanged', async () => {
    const bench = await startBench({ seed: oldZone() });
    const config = await bench.ok<Configuration>('GET', CONFIG);
    expect(Object.keys(config).sort()).toEqual(['name', 'rules']);
    const live = await bench.ok('PUT', migration('pending'), config);
    expect(live.name).toBe(config.name);
    expect(
      live.rules?.map(({ action, expression, action_parameters }) => [action, expression, action_parameters]),
    ).toEqual(
      config.rules.map(({ action, expression, action_parameters }) => [
        action,
        expression,
        action_parameters,
      ]),
    );
  });

  test('PUT: answers the envelope with the ruleset', async () => {
    const bench = await startBench({ seed: oldZone() });
    const reply = await bench.call('PUT', migration('pending'), { rules });
    expect(reply.body).toMatchObject({ success: true, errors: [], messages: [] });
    expect(reply.body.result).toMatchObject({ kind: 'zone', phase: MANAGED, version: '1' });
  });

  test('status: answers its five members without query parameters', async () => {
    const bench = await startBench({ seed: oldZone() });
    expect(Object.keys(await bench.ok<object>('GET', STATUS)).sort()).toEqual(
      ['created', 'migration_state', 'new_waf_status', 'old_waf_status', 'source'].sort(),
    );
  });
});

describe('specification 4.3, the rules', () => {
  test.each([
    ['pending', '1', 'complete'],
    ['validation', '2', 'validation'],
  ])('rule 1: %s and %s are equivalent', async (word, number, state) => {
    const results = [];
    for (const value of [word, number]) {
      const bench = await startBench({ seed: oldZone() });
      const ruleset = await bench.ok('PUT', migration(value), { rules });
      results.push({ ruleset, status: await bench.ok<Status>('GET', STATUS) });
    }
    expect(results[0]).toEqual(results[1]);
    expect(results[0]?.status.migration_state).toBe(state);
  });

  test.each(['start', '', 'true', '3', 'Pending', 'constructor'])(
    'rule 1: %j is not a value of waf_migration',
    async (value) => {
      const bench = await startBench({ seed: oldZone() });
      const reply = await bench.call('PUT', migration(value), { rules });
      expect(refusalOf(reply)).toMatchObject({
        status: 400,
        message: expect.stringContaining('is not a valid value for waf_migration') as string,
      });
      expect(await bench.ok<Status>('GET', STATUS)).toMatchObject({ migration_state: 'start' });
    },
  );

  test('rule 2: validation is for Enterprise zones only, by either value', async () => {
    for (const value of ['validation', '2']) {
      const bench = await startBench({ seed: oldZone({ plan: 'business' }) });
      expect((await bench.call('PUT', migration(value), { rules })).status).toBe(400);
    }
  });

  test('rule 3: compatible true lets the update proceed, false does not', async () => {
    for (const overrides of [[], [{ urls: ['x'], rules: { 100015: 'block' } }]]) {
      const bench = await startBench({ seed: oldZone({ waf: { overrides } }) });
      const { compatible } = await bench.ok<{ readonly compatible: boolean }>('GET', CHECK);
      expect(compatible).toBe(overrides.length === 0);
      expect((await bench.call('PUT', migration('pending'), { rules })).status).toBe(compatible ? 200 : 400);
    }
  });

  test('rule 4: check, configuration, validation with the adjusted configuration, finish with it', async () => {
    const bench = await startBench({ seed: oldZone() });
    expect(await bench.ok('GET', CHECK)).toMatchObject({ compatible: true });
    const config = await bench.ok<Configuration>('GET', CONFIG);
    const adjusted = {
      ...config,
      rules: [...config.rules].map((rule) => ({ ...rule, description: 'reviewed' })),
    };
    await bench.ok('PUT', migration('validation'), adjusted);
    await bench.ok('PUT', migration('pending'), adjusted);
    const live = await bench.ok('GET', entryPoint(zone, MANAGED));
    expect(live.rules?.map((rule) => rule.description)).toEqual(['reviewed', 'reviewed']);
    expect(await bench.ok<Status>('GET', STATUS)).toMatchObject({ migration_state: 'complete' });
  });

  test.each([
    ['as empty strings', executeRule(CMR)],
    ['left out', { action: 'execute', expression: 'true', enabled: true, action_parameters: { id: CMR } }],
  ])('rule 5: id, version and ref %s count as absent', async (_, rule) => {
    const bench = await startBench({ seed: oldZone() });
    for (const word of ['validation', 'pending']) {
      const live = await bench.ok('PUT', migration(word), { rules: [rule] });
      const [made] = live.rules ?? [];
      expect(made?.id).toMatch(/^[0-9a-f]{32}$/u);
      expect(made).toMatchObject({ version: '1', ref: made?.id });
    }
  });
});

describe('the gate on ordinary writes before the migration (api.md 10.2)', () => {
  const enabled = [executeRule(CMR)];
  const disabled = [executeRule(CMR, { enabled: false })];
  const skip = [{ action: 'skip', expression: 'ssl', action_parameters: { ruleset: 'current' } }];

  test.each([
    ['pro', 'enabled execute', enabled, 400],
    ['pro', 'disabled execute', disabled, 200],
    ['pro', 'no', [], 200],
    ['business', 'enabled execute', enabled, 400],
    ['business', 'disabled execute', disabled, 200],
    ['business', 'enabled skip', skip, 400],
    ['enterprise', 'enabled execute', enabled, 200],
    ['enterprise', 'disabled execute', disabled, 200],
    ['enterprise', 'enabled skip', skip, 400],
  ] as const)('on the plan %s, with %s rules', async (plan, _, list, status) => {
    const bench = await startBench({ seed: oldZone({ plan }) });
    const reply = await bench.call('PUT', entryPoint(zone, MANAGED), { rules: list });
    expect(reply.status).toBe(status);
    const refusal = [{ message: 'WAF enrollment is required' }];
    expect(reply.body.errors).toEqual(status === 400 ? refusal : []);
    expect(await bench.ok<Status>('GET', STATUS)).toMatchObject({
      migration_state: 'start',
      new_waf_status: 'disabled',
    });
  });

  test('holds for every way to write the phase', async () => {
    const bench = await startBench({ seed: oldZone({ plan: 'pro' }) });
    const post = { name: 'default', kind: 'zone', phase: MANAGED, rules: enabled };
    expect(refusalOf(await bench.call('POST', `${zone}/rulesets`, post)).message).toBe(
      'WAF enrollment is required',
    );
    const { id, rules: made } = await bench.ok('PUT', entryPoint(zone, MANAGED), { rules: disabled });
    const path = `${zone}/rulesets/${id}`;
    const writes = [
      ['PUT', path, { rules: enabled }],
      ['POST', `${path}/rules`, executeRule(OWASP)],
      ['PATCH', `${path}/rules/${made?.[0]?.id}`, { ...executeRule(CMR), id: undefined }],
    ] as const;
    for (const [method, at, body] of writes) {
      expect(refusalOf(await bench.call(method, at, body)).message).toBe('WAF enrollment is required');
    }
    expect((await bench.call('DELETE', `${path}/rules/${made?.[0]?.id}`)).status).toBe(200);
  });

  test('leaves other phases alone, and ends with the migration', async () => {
    const bench = await startBench({ seed: oldZone({ plan: 'business' }) });
    await bench.ok('PUT', entryPoint(zone, 'http_request_firewall_custom'), {
      rules: [{ action: 'block', expression: 'ssl' }],
    });
    await bench.ok('PUT', migration('pending'), { rules: enabled });
    const both = { rules: [...enabled, executeRule(OWASP)] };
    expect((await bench.ok('PUT', entryPoint(zone, MANAGED), both)).rules).toHaveLength(2);
  });

  test('lets ordinary writes through in validation mode, which leave the state unchanged', async () => {
    const bench = await startBench({ seed: oldZone() });
    await bench.ok('PUT', migration('validation'), { rules });
    await bench.ok('PUT', entryPoint(zone, MANAGED), { rules: skip });
    expect(await bench.ok<Status>('GET', STATUS)).toMatchObject({ migration_state: 'validation' });
  });
});

describe('the zones of the shop', () => {
  test.each([
    ['shop.example', shop, 'complete', { compatible: false }],
    ['blog.example', blog, 'start', { compatible: true, migration_state: 'start' }],
    ['api.example', api, 'start', { compatible: false }],
  ])('include %s in the expected migration state', async (_, at, migration_state, check) => {
    const bench = await startBench();
    expect(await bench.ok<Status>('GET', `${at}/waf_migration/status`)).toMatchObject({ migration_state });
    expect(await bench.ok('GET', `${at}/waf_migration/check?phase_two=1`)).toEqual(check);
  });

  test('api.example can be migrated once its override is deleted, with its settings carried over', async () => {
    const bench = await startBench();
    const list = await bench.ok<readonly { readonly id: string }[]>(
      'GET',
      `${api}${OVERRIDES.slice(zone.length)}`,
    );
    expect(list).toHaveLength(1);
    await bench.ok('DELETE', `${api}/firewall/waf/overrides/${list[0]?.id}`);
    const config = await bench.ok<Configuration>('GET', `${api}/waf_migration/config?phase_two=1`);
    const managed = config.rules[0]?.action_parameters.overrides?.rules ?? [];
    expect(managed).toHaveLength(5);
    expect(managed).toContainEqual({ id: '23ee7cebe6e8443e99ecf932ab579455', action: 'log', enabled: false });
    expect(config.rules[1]?.action_parameters.overrides).toEqual({
      categories: [2, 3, 4].map((level) => ({ category: `paranoia-level-${level}`, enabled: false })),
      rules: [{ id: '6179ae15870a4bb7b2d480d4843b323c', action: 'log', score_threshold: 25 }],
    });
    await bench.ok('PUT', migration('pending', { phase_two: '1' }, api), config);
    expect((await bench.ok<Status>('GET', `${api}/waf_migration/status`)).migration_state).toBe('complete');
  });
});
