import { describe, expect, test } from 'vitest';

import { scopeId } from '../../src/emulator/index.ts';
import { account, refusalOf, shop, startBench } from './bench.ts';

interface ZoneView {
  readonly id: string;
  readonly name: string;
  readonly account: { readonly id: string; readonly name: string };
  readonly plan: { readonly legacy_id: string };
}

describe('zones', () => {
  test('the first zone is Enterprise, the others smaller', async () => {
    const bench = await startBench();
    const zones = await bench.ok<readonly ZoneView[]>('GET', '/zones');
    expect(zones.map((zone) => [zone.name, zone.plan.legacy_id])).toEqual([
      ['shop.example', 'enterprise'],
      ['blog.example', 'pro'],
      ['api.example', 'business'],
    ]);
    expect(zones[0]?.account).toEqual({ id: scopeId('account', 'Example Shop'), name: 'Example Shop' });
  });

  test('are found by name and by account', async () => {
    const bench = await startBench();
    const named = await bench.ok<readonly ZoneView[]>('GET', '/zones?name=blog.example');
    expect(named.map((zone) => zone.id)).toEqual([scopeId('zone', 'blog.example')]);
    expect(await bench.ok('GET', '/zones?name=nobody.example')).toEqual([]);
    const id = scopeId('account', 'Example Shop');
    expect(await bench.ok<readonly ZoneView[]>('GET', `/zones?account.id=${id}`)).toHaveLength(3);
    expect(await bench.ok('GET', `/zones?account.id=${'0'.repeat(32)}`)).toEqual([]);
  });

  test.each<[query: string, names: readonly string[]]>([
    ['name=starts_with:SHOP', ['shop.example']],
    ['name=contains:o', ['shop.example', 'blog.example']],
    ['name=contains_case_sensitive:O', []],
    ['name=not_equal:shop.example', ['blog.example', 'api.example']],
    ['name=ends_with:.example&order=name&direction=desc', ['shop.example', 'blog.example', 'api.example']],
    ['order=name', ['api.example', 'blog.example', 'shop.example']],
    ['account.name=Example%20Shop&name=api.example', ['api.example']],
    ['account.name=starts_with:example&status=pending', []],
    ['account.name=Nobody', []],
    ['account.name=Nobody&name=api.example&match=any', ['api.example']],
    ['status=active&type=full,partial&per_page=5', ['shop.example', 'blog.example', 'api.example']],
    ['name=constructor:x', []],
    ['name=api.example&name=shop.example', ['api.example']],
  ])('?%s are %j', async (query, names) => {
    const bench = await startBench();
    const zones = await bench.ok<readonly ZoneView[]>('GET', `/zones?${query}`);
    expect(zones.map(({ name }) => name)).toEqual(names);
  });

  test('have the members that the vendor’s SDK promises', async () => {
    const bench = await startBench();
    expect(await bench.ok('GET', shop)).toMatchObject({
      meta: { page_rule_quota: 125, phishing_detected: false },
      owner: { type: 'organization', name: 'Example Shop' },
      original_name_servers: null,
    });
  });

  test('are made pending, on the Free plan, once, and deleted', async () => {
    const bench = await startBench();
    const body = {
      name: 'New.example',
      account: { id: scopeId('account', 'Example Shop') },
      type: 'partial',
    };
    const made = await bench.ok<ZoneView>('POST', '/zones', body);
    expect(made).toMatchObject({
      name: 'new.example',
      status: 'pending',
      type: 'partial',
      activated_on: null,
    });
    expect(await bench.ok('GET', '/zones?status=pending')).toEqual([made]);
    expect(refusalOf(await bench.call('POST', '/zones', body))).toMatchObject({ status: 400, code: 1061 });
    for (const wrong of [
      { name: 'x' },
      { name: 'a..b' },
      { name: 'a.example', account: { id: 'nobody' } },
      {},
    ]) {
      expect((await bench.call('POST', '/zones', wrong)).status).toBeGreaterThanOrEqual(400);
    }
    expect(await bench.ok('DELETE', `/zones/${made.id}`)).toEqual({ id: made.id });
    expect((await bench.call('GET', `/zones/${made.id}`)).status).toBe(403);
  });

  test('come in pages', async () => {
    const zones = Array.from({ length: 12 }, (_, index) => ({ name: `z${index}.example` }));
    const bench = await startBench({ seed: { version: 1, accounts: [{ name: 'Many' }], zones } });
    const reply = await bench.call<readonly ZoneView[]>('GET', '/zones?per_page=5&page=3');
    expect(reply.body.result.map((zone) => zone.name)).toEqual(['z10.example', 'z11.example']);
    expect(reply.body.result_info).toEqual({
      page: 3,
      per_page: 5,
      count: 2,
      total_count: 12,
      total_pages: 3,
    });
    const beyond = await bench.call<readonly ZoneView[]>('GET', '/zones?per_page=5&page=4');
    expect(beyond.body.result).toEqual([]);
  });

  test.each([
    'per_page=4',
    'per_page=51',
    'page=0',
    'page=x',
    'order=size',
    'direction=up',
    'match=some',
    'status=gone',
  ])('%s is refused', async (query) => {
    const bench = await startBench();
    expect((await bench.call('GET', `/zones?${query}`)).status).toBe(400);
  });

  test('one zone is read by id', async () => {
    const bench = await startBench();
    expect(await bench.ok<ZoneView>('GET', shop)).toMatchObject({ name: 'shop.example' });
  });
});

describe('zones', () => {
  test('are paused, change their type, and keep the rest', async () => {
    const bench = await startBench();
    const changed = await bench.ok<ZoneView>('PATCH', shop, { paused: true, type: 'partial' });
    expect(changed).toMatchObject({ name: 'shop.example', paused: true, type: 'partial', status: 'active' });
    expect(await bench.ok('GET', shop)).toEqual(changed);
    expect((await bench.call('PATCH', shop, { plan: 'pro' })).status).toBe(400);
    expect((await bench.call('PATCH', shop, {})).status).toBe(400);
  });
});

describe('accounts', () => {
  test('are deleted when they have no zones', async () => {
    const bench = await startBench();
    const made = await bench.ok<ZoneView>('POST', '/accounts', { name: 'B' });
    expect((await bench.call('DELETE', account)).status).toBe(400);
    expect(await bench.ok('DELETE', `/accounts/${made.id}`)).toEqual({ id: made.id });
    expect(await bench.ok('GET', '/accounts')).toHaveLength(1);
  });

  test('are listed, found by name, read by id', async () => {
    const bench = await startBench();
    expect(await bench.ok('GET', '/accounts')).toMatchObject([{ name: 'Example Shop', type: 'enterprise' }]);
    expect(await bench.ok('GET', '/accounts?name=Example%20Shop')).toHaveLength(1);
    expect(await bench.ok('GET', '/accounts?name=Other')).toEqual([]);
    expect(await bench.ok('GET', account)).toMatchObject({ name: 'Example Shop' });
  });

  test('keep their type and whether two factors are enforced', async () => {
    const bench = await startBench();
    const made = await bench.ok<ZoneView>('POST', '/accounts', { name: 'B', type: 'enterprise' });
    expect(made).toMatchObject({ type: 'enterprise', settings: { enforce_twofactor: false } });
    const path = `/accounts/${made.id}`;
    await bench.ok('PUT', path, { name: 'B', settings: { enforce_twofactor: true } });
    expect(await bench.ok('PUT', path, { name: 'C' })).toMatchObject({
      name: 'C',
      type: 'enterprise',
      settings: { enforce_twofactor: true },
    });
  });
});

describe('tokens', () => {
  const zoneToken = 'zone-token-zone-token-zone-token-zone-00';
  const seed = {
    version: 1,
    accounts: [{ name: 'One' }, { name: 'Two' }],
    zones: [
      { name: 'one.example', account: 'One' },
      { name: 'two.example', account: 'Two' },
    ],
    tokens: {
      [zoneToken]: [{ permissions: ['Zone WAF Read'], resources: [scopeId('zone', 'two.example')] }],
    },
  };
  const headers = { authorization: `Bearer ${zoneToken}` };

  test('are verified with the message that carries code 10000', async () => {
    const bench = await startBench();
    const reply = await bench.call<unknown>('GET', '/user/tokens/verify');
    expect(reply.body).toMatchObject({
      success: true,
      result: { status: 'active' },
      messages: [{ code: 10000, message: 'This API Token is valid and active', type: null }],
    });
  });

  test('see only the zones and accounts that they reach', async () => {
    const bench = await startBench({ seed });
    const zones = await bench.call<readonly ZoneView[]>('GET', '/zones', undefined, headers);
    expect(zones.body.result.map((zone) => zone.name)).toEqual(['two.example']);
    const accounts = await bench.call<readonly ZoneView[]>('GET', '/accounts', undefined, headers);
    expect(accounts.body.result.map((each) => each.name)).toEqual(['Two']);
    const foreign = await bench.call('GET', `/zones/${scopeId('zone', 'one.example')}`, undefined, headers);
    expect(refusalOf(foreign)).toMatchObject({ status: 403, code: 9109 });
  });
});
