import { describe, expect, test } from 'vitest';

import { account, api, blog, blockRule, entryPoint, refusalOf, shop, startBench } from './bench.ts';
import type { RulesetView } from './bench.ts';

const CUSTOM = 'http_request_firewall_custom';
const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';

describe('GET rulesets', () => {
  test('shows the rulesets of the vendor, the account and the zone, without rules', async () => {
    const bench = await startBench();
    const list = await bench.ok<readonly RulesetView[]>('GET', `${shop}/rulesets`);
    const kinds = list.map(({ kind }) => kind);
    expect(kinds).toEqual([...kinds].sort((a, b) => order.indexOf(a) - order.indexOf(b)));
    expect(new Set(kinds)).toEqual(new Set(['managed', 'custom', 'root', 'zone']));
    expect(list.filter((ruleset) => 'rules' in ruleset)).toEqual([]);
    expect(list.find(({ id }) => id === MANAGED)).toMatchObject({
      version: '243',
      source: 'firewall_managed',
    });
  });

  const order = ['managed', 'custom', 'root', 'zone'];

  test('the list of an account has no rulesets of zones', async () => {
    const bench = await startBench();
    const list = await bench.ok<readonly RulesetView[]>('GET', `${account}/rulesets`);
    expect(list.filter(({ kind }) => kind === 'zone')).toEqual([]);
    expect(list.filter(({ kind }) => kind === 'custom').map(({ name }) => name)).toEqual([
      'Known bad clients',
    ]);
  });

  test('shows managed rulesets by plan and level', async () => {
    const seed = { version: 1, accounts: [{ name: 'A' }], zones: [{ name: 'free.example' }] };
    const bench = await startBench({ seed });
    const [zone] = await bench.ok<readonly { readonly id: string }[]>('GET', '/zones');
    const list = await bench.ok<readonly RulesetView[]>('GET', `/zones/${zone?.id}/rulesets`);
    expect(list.map(({ name }) => name).sort()).toEqual([
      'Cloudflare Managed Free Ruleset',
      'Cloudflare Normalization Ruleset',
      'DDoS L7 ruleset',
    ]);
    expect((await bench.call('GET', `/zones/${zone?.id}/rulesets/${MANAGED}`)).status).toBe(404);
  });

  test('pages by cursor: every ruleset once, both forms of the cursor, none on the last page', async () => {
    const bench = await startBench();
    const all = await bench.ok<readonly RulesetView[]>('GET', `${shop}/rulesets`);
    const pages = [];
    for (let query = '?per_page=4'; query !== '' && pages.length < all.length;) {
      const reply = await bench.call<readonly RulesetView[]>('GET', `${shop}/rulesets${query}`);
      pages.push(reply.body);
      const cursor = reply.body.result_info?.['cursor'];
      query = typeof cursor === 'string' ? `?per_page=4&cursor=${cursor}` : '';
    }
    expect(pages.flatMap((page) => page.result)).toEqual(all);
    expect(pages.map((page) => page.result.length)).toEqual([4, 4, 4, all.length - 12]);
    for (const { result_info: info } of pages.slice(0, -1)) {
      expect(info).toEqual({ cursor: info?.['cursor'], cursors: { after: info?.['cursor'] } });
    }
    expect(pages.at(-1)).not.toHaveProperty('result_info');
  });

  test('the next page continues after the last ruleset although another was deleted meanwhile', async () => {
    const bench = await startBench();
    const first = await bench.call<readonly RulesetView[]>('GET', `${shop}/rulesets?per_page=12`);
    const cursor = String(first.body.result_info?.['cursor']);
    const all = await bench.ok<readonly RulesetView[]>('GET', `${shop}/rulesets`);
    const custom = first.body.result.find(({ kind }) => kind === 'root');
    await bench.ok('DELETE', `${account}/rulesets/${custom?.id}`);
    const second = await bench.ok('GET', `${shop}/rulesets?per_page=12&cursor=${cursor}`);
    expect(second).toEqual(all.slice(12));
  });

  test.each(['per_page=0', 'per_page=51', 'per_page=x', 'cursor=', 'cursor=nonsense'])(
    'refuses %s',
    async (query) => {
      const bench = await startBench();
      expect((await bench.call('GET', `${shop}/rulesets?${query}`)).status).toBe(400);
    },
  );
});

describe('GET ruleset', () => {
  test('an account’s ruleset is read at its account, not at a zone', async () => {
    const bench = await startBench();
    const list = await bench.ok<readonly RulesetView[]>('GET', `${shop}/rulesets`);
    const custom = list.find(({ kind }) => kind === 'custom');
    expect(refusalOf(await bench.call('GET', `${shop}/rulesets/${custom?.id}`))).toMatchObject({
      status: 404,
      code: 10001,
    });
    expect(await bench.ok('GET', `${account}/rulesets/${custom?.id}`)).toMatchObject({ kind: 'custom' });
  });

  test('another zone’s ruleset is not found', async () => {
    const bench = await startBench();
    const own = await bench.ok('GET', entryPoint(shop, CUSTOM));
    expect((await bench.call('GET', `${api}/rulesets/${own.id}`)).status).toBe(404);
    expect((await bench.call('DELETE', `${api}/rulesets/${own.id}`)).status).toBe(404);
  });

  test('a managed ruleset shows tagged rules without expressions', async () => {
    const bench = await startBench();
    for (const scope of [shop, account]) {
      const ruleset = await bench.ok('GET', `${scope}/rulesets/${MANAGED}`);
      const known = ruleset.rules?.find(({ id }) => id === 'd9e350f1b72d4730899c8a420e48a85d');
      expect(known).toMatchObject({
        version: '242',
        action: 'block',
        categories: ['file-inclusion', 'october-cms'],
        ref: 'adb550873eb92d32372ed08514d33241',
        enabled: true,
      });
      expect(ruleset.rules?.filter((rule) => 'expression' in rule)).toEqual([]);
      expect(ruleset.rules?.some((rule) => !rule.enabled)).toBe(true);
    }
  });

  test('the core ruleset ends in the rule with the score threshold', async () => {
    const bench = await startBench();
    const ruleset = await bench.ok('GET', `${shop}/rulesets/4814384a9e5d4991b9815dcfc25d2f1f`);
    expect(ruleset.rules?.at(-1)).toMatchObject({
      id: '6179ae15870a4bb7b2d480d4843b323c',
      action: 'block',
      score_threshold: 40,
    });
    const levels = new Set(ruleset.rules?.flatMap((rule) => rule.categories ?? []));
    expect([...levels].filter((tag) => tag.startsWith('paranoia-level-')).sort()).toEqual(
      [1, 2, 3, 4].map((level) => `paranoia-level-${level}`),
    );
  });

  test.each([
    ['PUT', '', { rules: [] }],
    ['DELETE', '', undefined],
    ['POST', '/rules', blockRule()],
    ['PATCH', '/rules/d9e350f1b72d4730899c8a420e48a85d', blockRule()],
    ['DELETE', '/rules/d9e350f1b72d4730899c8a420e48a85d', undefined],
    ['DELETE', '/versions/243', undefined],
  ])('a managed ruleset refuses %s%s', async (method, path, body) => {
    const bench = await startBench();
    const before = bench.service.store.content();
    const reply = await bench.call(method, `${account}/rulesets/${MANAGED}${path}`, body);
    expect(reply.status).toBe(400);
    expect(bench.service.store.content()).toEqual(before);
  });
});

describe('POST ruleset', () => {
  const custom = { name: 'Mine', kind: 'custom', phase: CUSTOM };

  test('creates a custom ruleset with version 1', async () => {
    const bench = await startBench();
    const made = await bench.ok('POST', `${shop}/rulesets`, { ...custom, rules: [blockRule({ ref: 'a' })] });
    expect(made).toMatchObject({ name: 'Mine', description: '', kind: 'custom', version: '1' });
    expect(made.rules).toMatchObject([{ ref: 'a', version: '1' }]);
    expect(await bench.ok('GET', `${shop}/rulesets/${made.id}`)).toEqual(made);
  });

  test('creates a missing entry point, also without rules', async () => {
    const bench = await startBench();
    const made = await bench.ok('POST', `${shop}/rulesets`, {
      name: 'Origins',
      kind: 'zone',
      phase: 'http_request_origin',
    });
    expect(await bench.ok('GET', entryPoint(shop, 'http_request_origin'))).toEqual(made);
  });

  test.each([
    [shop, 'zone', 'http_ratelimit'],
    [account, 'root', CUSTOM],
  ])('a second entry point of %s is refused with 20217', async (scope, kind, phase) => {
    const bench = await startBench();
    const reply = await bench.call('POST', `${scope}/rulesets`, { name: 'default', kind, phase });
    expect(refusalOf(reply)).toEqual({
      status: 400,
      code: 20217,
      message: `'${kind}' is not a valid value for kind because exceeded maximum number of ${kind} rulesets for phase ${phase}`,
      pointer: '/kind',
    });
  });

  test('kind managed is refused with the known message', async () => {
    const bench = await startBench();
    const reply = await bench.call('POST', `${account}/rulesets`, { ...custom, kind: 'managed' });
    expect(refusalOf(reply)).toMatchObject({
      status: 400,
      message: "'' is not a valid value for ShareableEntitlementName because required for managed rulesets",
    });
  });

  test.each([
    ['no name', shop, { kind: 'custom', phase: CUSTOM }, '/name'],
    ['an empty name', shop, { ...custom, name: '' }, '/name'],
    ['no kind', shop, { name: 'x', phase: CUSTOM }, '/kind'],
    ['an unknown kind', shop, { ...custom, kind: 'other' }, '/kind'],
    ['no phase', shop, { name: 'x', kind: 'custom' }, '/phase'],
    ['an unknown phase', shop, { ...custom, phase: 'http_request_main' }, '/phase'],
    ['kind root in a zone', shop, { ...custom, kind: 'root' }, '/kind'],
    ['kind zone in an account', account, { ...custom, kind: 'zone' }, '/kind'],
    ['a zone’s custom ruleset in another phase', shop, { ...custom, phase: 'http_ratelimit' }, '/phase'],
    [
      'an account’s custom ruleset in a zone phase',
      account,
      { ...custom, phase: 'http_request_origin' },
      '/phase',
    ],
    ['an account phase in a zone', shop, { ...custom, kind: 'zone', phase: 'magic_transit' }, '/phase'],
  ])('%s is refused', async (_, scope, body, pointer) => {
    const bench = await startBench();
    const reply = await bench.call('POST', `${scope}/rulesets`, body);
    expect(refusalOf(reply)).toMatchObject({ status: 400, pointer });
  });

  test('unknown fields are refused before missing ones', async () => {
    const bench = await startBench();
    const reply = await bench.call('POST', `${shop}/rulesets`, { nmae: 'x' });
    expect(refusalOf(reply).message).toBe('invalid JSON: unknown field "nmae"');
  });

  test('after the entry point is deleted the next one starts at version 1 with a new id', async () => {
    const bench = await startBench();
    const old = await bench.ok('GET', entryPoint(blog, 'http_config_settings'));
    const gone = await bench.call('DELETE', `${blog}/rulesets/${old.id}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await bench.call('GET', entryPoint(blog, 'http_config_settings'))).status).toBe(404);
    expect(await bench.ok('GET', `${entryPoint(blog, 'http_config_settings')}/versions`)).toEqual([]);
    const made = await bench.ok('PUT', entryPoint(blog, 'http_config_settings'), { rules: [] });
    expect(made.version).toBe('1');
    expect(made.id).not.toBe(old.id);
  });
});

describe('PUT ruleset', () => {
  test('a body with only a description leaves the rules as they are', async () => {
    const bench = await startBench();
    const before = await bench.ok('GET', entryPoint(api, CUSTOM));
    const after = await bench.ok('PUT', `${api}/rulesets/${before.id}`, { description: 'New' });
    expect(after).toMatchObject({ description: 'New', version: '10', rules: before.rules });
  });

  test('name, kind, phase and id are accepted when they are unchanged', async () => {
    const bench = await startBench();
    const { id, name, kind, phase } = await bench.ok('GET', entryPoint(api, CUSTOM));
    const after = await bench.ok('PUT', `${api}/rulesets/${id}`, { id, name, kind, phase, rules: [] });
    expect(after.version).toBe('10');
  });

  test.each([
    ['name', 'New name', 'default'],
    ['kind', 'root', 'zone'],
    ['phase', 'http_ratelimit', CUSTOM],
  ])('another %s is refused', async (field, got, want) => {
    const bench = await startBench();
    const { id } = await bench.ok('GET', entryPoint(api, CUSTOM));
    const reply = await bench.call('PUT', `${api}/rulesets/${id}`, { [field]: got, rules: [] });
    expect(refusalOf(reply)).toMatchObject({
      status: 400,
      message: `the ${field} field cannot be modified: got ${got}, want ${want}`,
    });
  });
});
