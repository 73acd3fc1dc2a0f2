import { describe, expect, test } from 'vitest';

import { account, api, blockRule, entryPoint, refusalOf, shop, startBench } from './bench.ts';

const CUSTOM = 'http_request_firewall_custom';
const ORIGIN = 'http_request_origin';
const route = { action: 'route', expression: 'true', action_parameters: { origin: { port: 8443 } } };

describe('GET entry point', () => {
  test('shows the latest version with its rules', async () => {
    const bench = await startBench();
    const ruleset = await bench.ok('GET', entryPoint(shop, CUSTOM));
    expect(ruleset).toMatchObject({ kind: 'zone', phase: CUSTOM, version: '4', source: 'firewall_custom' });
    expect(ruleset.rules?.map((rule) => rule.action)).toEqual(['skip', 'block', 'managed_challenge']);
  });

  test('a missing entry point is 404 with code 10003', async () => {
    const bench = await startBench();
    expect(refusalOf(await bench.call('GET', entryPoint(shop, ORIGIN)))).toEqual({
      status: 404,
      code: 10003,
      message: `could not find entrypoint ruleset in the ${ORIGIN} phase`,
      pointer: undefined,
    });
  });

  test('a phase of the other level is 404', async () => {
    const bench = await startBench();
    expect((await bench.call('GET', entryPoint(account, ORIGIN))).status).toBe(404);
    expect((await bench.call('GET', entryPoint(shop, 'http_request_redirect'))).status).toBe(404);
  });

  test('an unknown phase is refused', async () => {
    const bench = await startBench();
    expect((await bench.call('GET', entryPoint(shop, 'http_request_main'))).status).toBe(400);
  });

  test('an empty entry point has no rules member, or an empty list when the switch emptyRules is list', async () => {
    const bench = await startBench();
    expect(await bench.ok('GET', entryPoint(api, 'http_request_transform'))).not.toHaveProperty('rules');
    const old = await startBench({ switches: { emptyRules: 'list' } });
    expect(await old.ok('GET', entryPoint(api, 'http_request_transform'))).toMatchObject({ rules: [] });
  });
});

describe('PUT entry point', () => {
  test('creates a missing entry point with the name default and version 1', async () => {
    const bench = await startBench();
    const made = await bench.ok('PUT', entryPoint(shop, ORIGIN), { rules: [route] });
    expect(made).toMatchObject({ name: 'default', description: '', kind: 'zone', version: '1' });
    expect(await bench.ok('GET', entryPoint(shop, ORIGIN))).toEqual(made);
    expect(await bench.ok('GET', `${shop}/rulesets/${made.id}`)).toEqual(made);
  });

  test('creates a missing entry point with the given name, also without rules', async () => {
    const bench = await startBench();
    const made = await bench.ok('PUT', entryPoint(shop, ORIGIN), { name: 'Origins', description: 'x' });
    expect(made).toMatchObject({ name: 'Origins', description: 'x', version: '1' });
    expect(made).not.toHaveProperty('rules');
  });

  test('replaces the rules and increments the version, also when nothing changes', async () => {
    const bench = await startBench();
    const before = await bench.ok('GET', entryPoint(shop, CUSTOM));
    const same = await bench.ok('PUT', entryPoint(shop, CUSTOM), { rules: before.rules });
    expect(same.version).toBe('5');
    expect(same.rules).toEqual(before.rules);
    expect(same.last_updated > before.last_updated).toBe(true);
    const none = await bench.ok('PUT', entryPoint(shop, CUSTOM), { rules: [] });
    expect(none).toMatchObject({ id: before.id, version: '6' });
    expect(none).not.toHaveProperty('rules');
  });

  test('keeps the members that the body omits', async () => {
    const bench = await startBench();
    const before = await bench.ok('GET', entryPoint(shop, CUSTOM));
    const described = await bench.ok('PUT', entryPoint(shop, CUSTOM), { description: 'Shop' });
    expect(described).toMatchObject({ description: 'Shop', rules: before.rules });
    const emptied = await bench.ok('PUT', entryPoint(shop, CUSTOM), { rules: [] });
    expect(emptied.description).toBe('Shop');
  });

  test('ignores a new name for an existing entry point', async () => {
    const bench = await startBench();
    const named = await bench.ok('PUT', entryPoint(shop, CUSTOM), { name: 'Other', rules: [] });
    expect(named.name).toBe('default');
  });

  test.each(['kind', 'phase', 'id', 'version', 'Rules'])('refuses the unknown field %s', async (field) => {
    const bench = await startBench();
    const reply = await bench.call('PUT', entryPoint(shop, CUSTOM), { rules: [], [field]: 'zone' });
    expect(refusalOf(reply)).toEqual({
      status: 400,
      code: undefined,
      message: `invalid JSON: unknown field "${field}"`,
      pointer: undefined,
    });
  });

  test('stores nothing if one rule is refused', async () => {
    const bench = await startBench();
    const before = bench.service.store.content();
    const rules = [blockRule(), blockRule({ action: 'route', action_parameters: { origin: { port: 1 } } })];
    const reply = await bench.call('PUT', entryPoint(shop, CUSTOM), { rules });
    expect(refusalOf(reply)).toMatchObject({ code: 20016, pointer: '/rules/1/action' });
    expect(bench.service.store.content()).toEqual(before);
  });

  test('refuses a phase of the other level', async () => {
    const bench = await startBench();
    const zone = await bench.call('PUT', entryPoint(shop, 'magic_transit'), { rules: [] });
    expect(zone.status).toBe(400);
    const level = await bench.call('PUT', entryPoint(account, ORIGIN), { rules: [] });
    expect(level.status).toBe(400);
  });

  test('creates an entry point of kind root in an account', async () => {
    const bench = await startBench();
    await bench.ok('POST', `${account}/rules/lists`, { name: 'moved', kind: 'redirect' });
    const rule = {
      action: 'redirect',
      expression: 'http.request.full_uri in $moved',
      action_parameters: { from_list: { name: 'moved', key: 'http.request.full_uri' } },
    };
    const made = await bench.ok('PUT', entryPoint(account, 'http_request_redirect'), { rules: [rule] });
    expect(made).toMatchObject({ kind: 'root', version: '1', rules: [rule] });
  });
});

describe('what the service fills in', () => {
  test('enabled, ref, and a description left out when empty', async () => {
    const bench = await startBench();
    const ruleset = await bench.ok('PUT', entryPoint(api, CUSTOM), {
      rules: [
        blockRule({ description: '' }),
        blockRule({ ref: 'mine', description: 'Mine', enabled: false }),
      ],
    });
    const [first, second] = ruleset.rules ?? [];
    expect(first).toMatchObject({ enabled: true, version: '1' });
    expect(first?.ref).toBe(first?.id);
    expect(first).not.toHaveProperty('description');
    expect(first).not.toHaveProperty('logging');
    expect(first).not.toHaveProperty('categories');
    expect(second).toMatchObject({ enabled: false, ref: 'mine', description: 'Mine' });
    expect(first?.last_updated).toBe(ruleset.last_updated);
  });

  test('logging on skip rules only', async () => {
    const bench = await startBench();
    const skip = { action: 'skip', expression: 'true', action_parameters: { ruleset: 'current' } };
    const ruleset = await bench.ok('PUT', entryPoint(shop, CUSTOM), {
      rules: [skip, { ...skip, logging: { enabled: false } }, blockRule()],
    });
    expect(ruleset.rules?.map((rule) => rule.logging)).toEqual([
      { enabled: true },
      { enabled: false },
      undefined,
    ]);
    const rules = [blockRule({ logging: { enabled: true } })];
    expect(refusalOf(await bench.call('PUT', entryPoint(shop, CUSTOM), { rules }))).toMatchObject({
      status: 400,
      code: 20018,
      pointer: '/rules/0/logging',
    });
  });

  test('the mitigation timeout of a rate limit', async () => {
    const bench = await startBench();
    const ratelimit = { characteristics: ['ip.src', 'cf.colo.id'], period: 60, requests_per_period: 5 };
    const ruleset = await bench.ok('PUT', entryPoint(shop, 'http_ratelimit'), {
      rules: [
        blockRule({ ratelimit }),
        blockRule({ action: 'managed_challenge', ratelimit }),
        blockRule({ ratelimit: { ...ratelimit, mitigation_timeout: 3600, requests_to_origin: true } }),
      ],
    });
    expect(ruleset.rules?.map((rule) => rule.ratelimit)).toEqual([
      { ...ratelimit, mitigation_timeout: 0 },
      { ...ratelimit, mitigation_timeout: 0 },
      { ...ratelimit, mitigation_timeout: 3600, requests_to_origin: true },
    ]);
  });

  test('the kinds of files that autominify does not name', async () => {
    const bench = await startBench();
    const ruleset = await bench.ok('PUT', entryPoint(shop, 'http_config_settings'), {
      rules: [{ action: 'set_config', expression: 'true', action_parameters: { autominify: { css: true } } }],
    });
    expect(ruleset.rules?.[0]?.action_parameters).toEqual({
      autominify: { css: true, html: false, js: false },
    });
  });

  test('no action parameters when they are empty', async () => {
    const bench = await startBench();
    const ruleset = await bench.ok('PUT', entryPoint(api, CUSTOM), {
      rules: [blockRule({ action_parameters: {} })],
    });
    expect(ruleset.rules?.[0]).not.toHaveProperty('action_parameters');
  });

  test('version latest of an execute rule, when the switch executeVersion is latest', async () => {
    const id = 'efb7b8c949ac4650a09736fc376e9aee';
    const rules = [{ action: 'execute', expression: 'true', action_parameters: { id, version: 'latest' } }];
    const path = entryPoint(shop, 'http_request_firewall_managed');
    const today = await startBench();
    const shown = await today.ok('PUT', path, { rules });
    expect(shown.rules?.[0]?.action_parameters).toEqual({ id });
    const old = await startBench({ switches: { executeVersion: 'latest' } });
    const filled = await old.ok('PUT', path, {
      rules: [{ action: 'execute', expression: 'true', action_parameters: { id } }],
    });
    expect(filled.rules?.[0]?.action_parameters).toEqual({ id, version: 'latest' });
  });

  test.each([
    ['sent', { list: ['a', 'b'] }, { list: ['a', 'b'] }],
    ['sent', '*', '*'],
    ['plain', { list: ['a', 'b'] }, ['a', 'b']],
    ['plain', { all: true }, '*'],
    ['plain', ['a'], ['a']],
    ['plain', '*', '*'],
    ['schema', { list: ['a', 'b'] }, { list: ['a', 'b'] }],
    ['schema', ['a'], { list: ['a'] }],
    ['schema', ['*'], { all: true }],
    ['schema', '*', { all: true }],
  ] as const)('query strings of cache keys, %s: %j', async (queryStrings, sent, shown) => {
    const bench = await startBench({ switches: { queryStrings } });
    const ruleset = await bench.ok('PUT', entryPoint(shop, 'http_request_cache_settings'), {
      rules: [
        {
          action: 'set_cache_settings',
          expression: 'true',
          action_parameters: { cache_key: { custom_key: { query_string: { include: sent } } } },
        },
      ],
    });
    expect(ruleset.rules?.[0]?.action_parameters).toEqual({
      cache_key: { custom_key: { query_string: { include: shown } } },
    });
  });
});
