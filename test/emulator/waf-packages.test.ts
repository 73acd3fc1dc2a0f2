import { describe, expect, test } from 'vitest';

import { refusalOf, startBench } from './bench.ts';
import type { Bench } from './bench.ts';
import { CORE, oldZone, PACKAGES, zone } from './migration-zone.ts';

interface Item {
  readonly id: string;
  readonly name: string;
  readonly mode: string;
  readonly default_mode?: string;
  readonly allowed_modes: readonly string[];
  readonly group: { readonly id: string; readonly name: string };
}

async function packagesOf(bench: Bench): Promise<readonly [traditional: string, anomaly: string]> {
  const list = await bench.ok<readonly (Item & { readonly detection_mode: string })[]>('GET', PACKAGES);
  const id = (mode: string) => list.find((each) => each.detection_mode === mode)?.id ?? '';
  return [`${PACKAGES}/${id('traditional')}`, `${PACKAGES}/${id('anomaly')}`];
}

const start = (members = {}) => startBench({ seed: oldZone(members) });

describe('packages (specification 9 row "Previous managed-rules WAF", api.md 9.4)', () => {
  test('a traditional package has no settings, an anomaly package has sensitivity and action mode', async () => {
    const bench = await start();
    const [traditional, anomaly] = await packagesOf(bench);
    expect(await bench.ok('GET', traditional)).toEqual({
      id: traditional.slice(PACKAGES.length + 1),
      name: 'CloudFlare',
      description: expect.any(String) as string,
      detection_mode: 'traditional',
      zone_id: zone.slice('/zones/'.length),
      status: 'active',
    });
    expect(await bench.ok('GET', anomaly)).toMatchObject({
      name: CORE,
      detection_mode: 'anomaly',
      sensitivity: 'high',
      action_mode: 'challenge',
    });
  });

  test('PATCH changes only the given members of an anomaly package', async () => {
    const bench = await start();
    const [, anomaly] = await packagesOf(bench);
    expect(await bench.ok('PATCH', anomaly, { sensitivity: 'low' })).toMatchObject({
      sensitivity: 'low',
      action_mode: 'challenge',
    });
    expect(await bench.ok('PATCH', anomaly, { action_mode: 'block' })).toMatchObject({
      sensitivity: 'low',
      action_mode: 'block',
    });
    expect(await bench.ok('GET', anomaly)).toMatchObject({ sensitivity: 'low', action_mode: 'block' });
  });

  test.each([
    [{ sensitivity: 'extreme' }, /sensitivity because it must be one of high, medium, low, off/u],
    [{ action_mode: 'log' }, /action_mode because it must be one of simulate, block, challenge/u],
    [{ status: 'active' }, /unknown field "status"/u],
    [{}, /required|at least|one of/iu],
    [{ sensitivity: 3 }, /cannot decode number/u],
  ])('PATCH refuses %j', async (body, message) => {
    const bench = await start();
    const [, anomaly] = await packagesOf(bench);
    const before = bench.service.store.content();
    expect(refusalOf(await bench.call('PATCH', anomaly, body))).toMatchObject({
      status: 400,
      message: expect.stringMatching(message) as string,
    });
    expect(bench.service.store.content()).toEqual(before);
  });

  test('PATCH refuses a traditional package', async () => {
    const bench = await start();
    const [traditional] = await packagesOf(bench);
    expect(refusalOf(await bench.call('PATCH', traditional, { sensitivity: 'low' }))).toMatchObject({
      status: 400,
      message: 'the package CloudFlare cannot be modified',
    });
  });

  test('packages, groups and rules that do not exist, or not in this package, are 404', async () => {
    const bench = await start();
    const [traditional, anomaly] = await packagesOf(bench);
    const nobody = '0'.repeat(32);
    const [group] = await bench.ok<readonly Item[]>('GET', `${anomaly}/groups`);
    for (const path of [
      `${PACKAGES}/${nobody}`,
      `${PACKAGES}/${nobody}/groups`,
      `${PACKAGES}/${nobody}/rules`,
      `${traditional}/groups/${nobody}`,
      `${traditional}/groups/${group?.id}`,
      `${traditional}/rules/999999`,
      `${traditional}/rules/950901`,
    ]) {
      expect((await bench.call('GET', path)).status).toBe(404);
    }
  });
});

describe('groups (api.md 9.4)', () => {
  test('count their rules and how many of them were modified', async () => {
    const bench = await start();
    const [traditional] = await packagesOf(bench);
    const [group] = await bench.ok<readonly Item[]>('GET', `${traditional}/groups`);
    expect(group).toMatchObject({
      name: 'Cloudflare Specials',
      rules_count: 5,
      modified_rules_count: 0,
      mode: 'on',
      allowed_modes: ['on', 'off'],
    });
    await bench.ok('PATCH', `${traditional}/rules/100203`, { mode: 'simulate' });
    await bench.ok('PATCH', `${traditional}/rules/100001`, { mode: 'off' });
    const one = `${traditional}/groups/${group?.id}`;
    expect(await bench.ok('GET', one)).toMatchObject({ modified_rules_count: 2 });
    await bench.ok('PATCH', `${traditional}/rules/100203`, { mode: 'default' });
    await bench.ok('PATCH', `${traditional}/rules/100001`, { mode: 'on' });
    expect(await bench.ok('GET', one)).toEqual(group);
  });

  test('do not count a rule that is set to its default mode', async () => {
    const bench = await start({ waf: { rules: { '100001': 'on', '100203': 'default' } } });
    const [traditional] = await packagesOf(bench);
    const [group] = await bench.ok<readonly Item[]>('GET', `${traditional}/groups`);
    const one = `${traditional}/groups/${group?.id}`;
    expect(group).toMatchObject({ name: 'Cloudflare Specials', modified_rules_count: 0 });
    for (const [rule, mode] of [
      ['100001', 'on'],
      ['100001', 'on'],
      ['100203', 'default'],
    ] as const) {
      expect(await bench.ok('PATCH', `${traditional}/rules/${rule}`, { mode })).toMatchObject({ mode });
      expect(await bench.ok('GET', one)).toMatchObject({ modified_rules_count: 0 });
    }
  });

  test('can be set to on and off only', async () => {
    const bench = await start();
    const [traditional] = await packagesOf(bench);
    const [group] = await bench.ok<readonly Item[]>('GET', `${traditional}/groups`);
    const one = `${traditional}/groups/${group?.id}`;
    expect(await bench.ok('PATCH', one, { mode: 'off' })).toEqual({ ...group, mode: 'off' });
    expect(await bench.ok('GET', one)).toMatchObject({ mode: 'off' });
    expect((await bench.call('PATCH', one, { mode: 'simulate' })).status).toBe(400);
    expect((await bench.call('PATCH', one, {})).status).toBe(400);
    expect(await bench.ok('PATCH', one, { mode: 'on' })).toEqual(group);
  });
});

describe('rules (api.md 9.4)', () => {
  test('come in three forms: traditional deny, traditional allow, and anomaly', async () => {
    const bench = await start();
    const [traditional, anomaly] = await packagesOf(bench);
    const deny = await bench.ok<Item>('GET', `${traditional}/rules/100203`);
    expect(deny).toMatchObject({ mode: 'default', default_mode: 'block' });
    expect(deny.allowed_modes).toEqual(['default', 'disable', 'simulate', 'block', 'challenge']);
    expect(await bench.ok('GET', `${traditional}/rules/100001`)).toEqual({
      id: '100001',
      description: 'Known good search engine bots',
      priority: '1',
      package_id: traditional.slice(PACKAGES.length + 1),
      group: { id: deny.group.id, name: 'Cloudflare Specials' },
      mode: 'on',
      allowed_modes: ['on', 'off'],
    });
    expect(await bench.ok('GET', `${anomaly}/rules/950901`)).toMatchObject({
      mode: 'on',
      allowed_modes: ['on', 'off'],
    });
  });

  test.each([
    ['100203', ['default', 'disable', 'simulate', 'block', 'challenge'], ['on', 'off', 'log', '']],
    ['100001', ['on', 'off'], ['block', 'default']],
  ])('%s accepts its allowed modes %j and refuses %j', async (id, allowed, others) => {
    const bench = await start();
    const [traditional] = await packagesOf(bench);
    for (const mode of allowed) {
      expect(await bench.ok('PATCH', `${traditional}/rules/${id}`, { mode })).toMatchObject({ id, mode });
      expect(await bench.ok('GET', `${traditional}/rules/${id}`)).toMatchObject({ mode });
    }
    for (const mode of others) {
      expect((await bench.call('PATCH', `${traditional}/rules/${id}`, { mode })).status).toBe(400);
    }
  });
});

describe('lists (api.md 1.3)', () => {
  const ids = (items: readonly Item[]) => items.map((item) => item.id);

  test.each([
    ['mode=DIS', ['100015', 'WP0001']],
    ['mode=SIM', ['100173', '100007', 'J0002']],
    ['mode=CHL', ['100203', 'PHP001']],
    ['mode=BLK', ['100515', 'WP0002', 'D0003', 'J0001']],
    ['description=PHP - Code injection', ['PHP001']],
    ['priority=2', ['100015']],
    ['priority=2&mode=SIM', []],
    ['priority=2&mode=CHL&match=any', ['100015', '100203', 'PHP001']],
  ])('filter rules by %s', async (query, expected) => {
    const bench = await start({ waf: { rules: { '100203': 'challenge', WP0001: 'disable' } } });
    const [traditional] = await packagesOf(bench);
    expect(ids(await bench.ok<readonly Item[]>('GET', `${traditional}/rules?${query}`))).toEqual(expected);
  });

  test('filter rules by group, and sort them by priority backwards or by description', async () => {
    const bench = await start();
    const [traditional] = await packagesOf(bench);
    const all = await bench.ok<readonly Item[]>('GET', `${traditional}/rules`);
    const group = all.find((rule) => rule.id === 'J0001')?.group.id;
    expect(ids(await bench.ok('GET', `${traditional}/rules?group_id=${group}`))).toEqual(['J0001', 'J0002']);
    expect(ids(await bench.ok('GET', `${traditional}/rules?order=priority&direction=desc`))).toEqual(
      ids(all).toReversed(),
    );
    const texts = await bench.ok<readonly { readonly description: string }[]>(
      'GET',
      `${traditional}/rules?order=description`,
    );
    expect(texts.map((rule) => rule.description)).toEqual(texts.map((rule) => rule.description).toSorted());
  });

  test.each([
    ['packages', `?name=${encodeURIComponent(CORE)}`, [CORE]],
    ['packages', '?order=name&direction=desc', [CORE, 'CloudFlare']],
    ['groups', '?mode=off', ['Cloudflare Drupal']],
    ['groups', '?rules_count=5', ['Cloudflare Specials']],
    ['groups', '?name=Cloudflare%20Php&mode=off&match=any', ['Cloudflare Drupal', 'Cloudflare Php']],
  ])('filter and sort %s by %s', async (what, query, names) => {
    const bench = await start({ waf: { groups: { 'Cloudflare Drupal': 'off' } } });
    const [traditional] = await packagesOf(bench);
    const path = what === 'packages' ? PACKAGES : `${traditional}/groups`;
    const found = await bench.ok<readonly Item[]>('GET', path + query);
    expect(found.map((each) => each.name)).toEqual(names);
  });

  test('have pages, by default of 50 rules, without a number of pages', async () => {
    const bench = await start();
    const [traditional] = await packagesOf(bench);
    const path = `${traditional}/rules`;
    const whole = await bench.call<readonly Item[]>('GET', path);
    expect(whole.body.result_info).toEqual({ page: 1, per_page: 50, count: 12, total_count: 12 });
    const pages = [];
    for (const page of [1, 2, 3]) {
      const reply = await bench.call<readonly Item[]>('GET', `${path}?per_page=5&page=${page}`);
      pages.push(...reply.body.result);
      expect(reply.body.result_info).toMatchObject({ page, per_page: 5, total_count: 12 });
    }
    expect(pages).toEqual(whole.body.result);
  });

  test.each([
    'per_page=4',
    'per_page=101',
    'page=0',
    'order=name',
    'direction=up',
    'match=none',
    'mode=block',
  ])('refuse ?%s', async (query) => {
    const bench = await start();
    const [traditional] = await packagesOf(bench);
    expect((await bench.call('GET', `${traditional}/rules?${query}`)).status).toBe(400);
  });
});

describe('permissions and the end of the old WAF', () => {
  test('Firewall Services Read allows only reading, Zone WAF Write not even that (api.md 11.3)', async () => {
    const token = (name: string) => name.padEnd(40, '0');
    const tokens = {
      [token('reader')]: [{ permissions: ['Firewall Services Read'], resources: ['*'] }],
      [token('waf')]: [{ permissions: ['Zone WAF Write'], resources: ['*'] }],
    };
    const bench = await startBench({ seed: { ...(oldZone() as object), tokens } });
    const [, anomaly] = await packagesOf(bench);
    const as = (name: string) => ({ authorization: `Bearer ${token(name)}` });
    expect((await bench.call('GET', anomaly, undefined, as('reader'))).status).toBe(200);
    expect((await bench.call('PATCH', anomaly, { sensitivity: 'low' }, as('reader'))).status).toBe(403);
    expect((await bench.call('GET', anomaly, undefined, as('waf'))).status).toBe(403);
  });

  test('packages and overrides are 410 once old interfaces are gone (a switch; api.md 13.4)', async () => {
    const bench = await startBench({ seed: oldZone(), switches: { oldInterfaces: 'gone' } });
    expect((await bench.call('GET', PACKAGES)).status).toBe(410);
    expect((await bench.call('GET', `${zone}/firewall/waf/overrides`)).status).toBe(410);
  });
});

test.each([
  ['an unknown package', { packages: { Other: { sensitivity: 'low' } } }],
  ['an unknown group', { groups: { Other: 'off' } }],
  ['an unknown rule', { rules: { '1': 'block' } }],
  ['an unknown mode of a rule', { rules: { '100203': 'nonsense' } }],
  ['a mode that its rule does not have', { rules: { '100001': 'block' } }],
  ['an override without rules and groups', { overrides: [{ urls: ['x'] }] }],
  ['an unknown word', { mode: 'on' }],
])('a seed with %s is refused', async (_, waf) => {
  await expect(start({ waf })).rejects.toThrow(/waf|field/u);
});
