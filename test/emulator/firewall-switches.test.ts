import { describe, expect, test } from 'vitest';

import { entryPoint, refusalOf } from './bench.ts';
import { freshFilter, startFirewall } from './firewall-bench.ts';

const CUSTOM = 'http_request_firewall_custom';
const UPGRADE = 'https://developers.cloudflare.com/waf/reference/legacy/firewall-rules-upgrade/';

describe('api.md 9: maintenance mode', () => {
  test('refuses every write of rules and filters with code 10020; reads still work', async () => {
    const bench = await startFirewall();
    const [rule] = await bench.create({});
    await bench.control('PUT', '/zones/z.example/firewall', { interface: 'maintenance' });
    const writes = [
      ['POST', bench.rulesPath, [{ action: 'block', filter: freshFilter() }]],
      ['PUT', bench.rulesPath, []],
      ['PATCH', bench.rulesPath, 'nonsense'],
      ['DELETE', `${bench.rulesPath}?id=${rule?.id}`, undefined],
      ['PUT', `${bench.rulesPath}/${rule?.id}`, {}],
      ['PATCH', `${bench.rulesPath}/${rule?.id}`, {}],
      ['DELETE', `${bench.rulesPath}/${rule?.id}`, undefined],
      ['POST', bench.filtersPath, [freshFilter()]],
      ['PUT', bench.filtersPath, []],
      ['DELETE', `${bench.filtersPath}?id=${rule?.filter.id}`, undefined],
      ['PUT', `${bench.filtersPath}/${rule?.filter.id}`, {}],
      ['DELETE', `${bench.filtersPath}/${rule?.filter.id}`, undefined],
    ] as const;
    const before = bench.service.store.content();
    for (const [method, path, body] of writes) {
      expect([method, path, refusalOf(await bench.call(method, path, body))]).toEqual([
        method,
        path,
        {
          status: 400,
          code: 10020,
          message: `firewallrules.api.maintenance_mode. This API is in maintenance mode and no longer accepts modifications. Please migrate to the new Firewall Rules API at ${UPGRADE}`,
          pointer: undefined,
        },
      ]);
    }
    expect(bench.service.store.content()).toEqual(before);
    expect(await bench.rules()).toEqual([rule]);
    expect(await bench.filters()).toEqual([rule?.filter]);
    expect((await bench.call('POST', `${bench.zone}/rate_limits`, {})).status).toBe(400);
    expect(refusalOf(await bench.call('POST', `${bench.zone}/rate_limits`, {})).code).toBeUndefined();
  });

  test('can be switched on for the whole service and off again for one zone', async () => {
    const bench = await startFirewall({ switches: { oldInterfaces: 'maintenance' } });
    const body = [{ action: 'block', filter: freshFilter() }];
    expect(refusalOf(await bench.call('POST', bench.rulesPath, body)).code).toBe(10020);
    await bench.control('PUT', '/zones/z.example/firewall', { interface: 'open' });
    expect((await bench.call('POST', bench.rulesPath, body)).status).toBe(200);
  });
});

describe('api.md 13.4: after the end of the old interfaces', () => {
  test('firewall rules, filters and old rate limits answer 410; page rules, lockdowns and UA rules go on', async () => {
    const bench = await startFirewall({ switches: { oldInterfaces: 'gone' } });
    for (const path of [bench.rulesPath, bench.filtersPath, `${bench.zone}/rate_limits`]) {
      for (const [method, body] of [
        ['GET', undefined],
        ['POST', []],
      ] as const) {
        const reply = await bench.call(method, path, body);
        expect([path, method, reply.status]).toEqual([path, method, 410]);
        expect(reply.body).toMatchObject({ result: null, success: false });
      }
    }
    for (const path of ['pagerules', 'firewall/lockdowns', 'firewall/ua_rules']) {
      expect((await bench.call('GET', `${bench.zone}/${path}`)).status).toBe(200);
    }
  });
});

describe('PUT /_emulator/zones/{zone}/firewall', () => {
  test('converts two lists to one in the order of execution, keeping ids', async () => {
    const bench = await startFirewall();
    await bench.ok('PUT', entryPoint(bench.zone, CUSTOM), {
      rules: [{ action: 'block', expression: 'http.host eq "new"', ref: 'was-there' }],
    });
    const old = await bench.create(
      { ref: 'last' },
      { ref: 'second', action: 'allow', priority: 10 },
      { ref: 'third', priority: 10, paused: true },
      { ref: 'first', action: 'bypass', products: ['waf', 'bic'], priority: 2 },
    );
    const reply = await bench.control('PUT', '/zones/z.example/firewall', { rules: 'one_list' });
    expect([reply.status, await reply.json()]).toEqual([200, { rules: 'one_list' }]);
    const { rules = [], version } = await bench.ok('GET', entryPoint(bench.zone, CUSTOM));
    expect(version).toBe('2');
    expect(rules.map(({ ref, action, enabled }) => [ref, action, enabled])).toEqual([
      ['first', 'skip', true],
      ['second', 'skip', true],
      ['third', 'block', false],
      ['last', 'block', true],
      ['was-there', 'block', true],
    ]);
    const shown = await bench.rules();
    expect(shown.slice(0, 4).map((rule) => ({ ...rule, products: rule.products?.toSorted() }))).toEqual(
      [3, 1, 2, 0].map((index) => ({ ...old[index], products: old[index]?.products?.toSorted() })),
    );
  });

  test('orders rules of equal priority by action when the zone has priority ordering', async () => {
    const bench = await startFirewall({
      plan: 'enterprise',
      more: { firewall: { rules: 'two_lists', order: 'priority' } },
    });
    const actions = ['block', 'js_challenge', 'managed_challenge', 'challenge', 'allow', 'bypass', 'log'];
    await bench.create(
      ...actions.map((action) => ({
        action,
        ref: action,
        ...(action === 'bypass' ? { products: ['hot'] } : {}),
      })),
      { ref: 'numbered', priority: 99 },
    );
    await bench.control('PUT', '/zones/z.example/firewall', { rules: 'one_list' });
    const { rules = [] } = await bench.ok('GET', entryPoint(bench.zone, CUSTOM));
    expect(rules.map(({ ref }) => ref)).toEqual(['numbered', ...actions.toReversed()]);
  });

  test('a conversion over the quota is refused and changes nothing', async () => {
    const bench = await startFirewall({ plan: 'free' });
    await bench.create({}, {}, {});
    const rules = Array.from({ length: 3 }, () => ({ action: 'block', expression: 'ssl' }));
    await bench.ok('PUT', entryPoint(bench.zone, CUSTOM), { rules });
    const before = bench.service.store.content();
    const reply = await bench.control('PUT', '/zones/z.example/firewall', { rules: 'one_list' });
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain('6 out of 5');
    expect(bench.service.store.content()).toEqual(before);
  });

  test('going back to two lists keeps the custom rules and starts without old rules', async () => {
    const bench = await startFirewall({ world: 'one_list' });
    await bench.create({});
    await bench.control('PUT', '/zones/z.example/firewall', { rules: 'two_lists' });
    expect(await bench.rules()).toEqual([]);
    expect((await bench.ok('GET', entryPoint(bench.zone, CUSTOM))).rules).toHaveLength(1);
  });

  test.each([
    ['an unknown zone', '/zones/nowhere.example/firewall', {}],
    ['an unknown word', '/zones/z.example/firewall', { rules: 'three_lists' }],
    ['an unknown member', '/zones/z.example/firewall', { colour: 1 }],
    ['no object', '/zones/z.example/firewall', []],
  ])('%s is refused', async (_, path, wish) => {
    const bench = await startFirewall();
    const before = bench.service.store.content();
    expect((await bench.control('PUT', path, wish)).status).toBe(400);
    expect(bench.service.store.content()).toEqual(before);
  });

  test('with two lists, old rules and custom rules do not show in the interface of the other', async () => {
    const bench = await startFirewall();
    await bench.create({});
    expect((await bench.call('GET', entryPoint(bench.zone, CUSTOM))).status).toBe(404);
    await bench.ok('PUT', entryPoint(bench.zone, CUSTOM), {
      rules: [{ action: 'block', expression: 'ssl' }],
    });
    expect(await bench.rules()).toHaveLength(1);
  });
});
