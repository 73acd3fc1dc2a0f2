import { describe, expect, test } from 'vitest';

import { refusalOf } from './bench.ts';
import { freshFilter, startFirewall } from './firewall-bench.ts';
import type { FirewallRuleView } from './firewall-bench.ts';

const UNKNOWN = '0'.repeat(32);

describe('specification 2.4: a firewall rule', () => {
  test('specification 2.4: has id, paused, action, priority and its filter with id, expression, paused', async () => {
    const bench = await startFirewall();
    const [rule] = await bench.create({ action: 'block', filter: { expression: 'ssl' } });
    expect(rule).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/u),
      paused: false,
      action: 'block',
      priority: null,
      filter: { id: expect.stringMatching(/^[0-9a-f]{32}$/u), paused: false, expression: 'ssl' },
    });
    expect(await bench.ok('GET', `${bench.rulesPath}/${rule?.id}`)).toEqual(rule);
  });

  test('api.md 9.1: shows priority, description, ref and products when they are given', async () => {
    const bench = await startFirewall();
    const [rule] = await bench.create({
      action: 'bypass',
      products: ['waf', 'bic'],
      priority: 7,
      paused: true,
      description: 'Feed',
      ref: 'R-1',
      filter: { expression: 'ssl', description: 'TLS', ref: 'F-1', paused: true },
    });
    expect(rule).toMatchObject({
      action: 'bypass',
      products: ['waf', 'bic'],
      priority: 7,
      paused: true,
      description: 'Feed',
      ref: 'R-1',
      filter: { description: 'TLS', ref: 'F-1', paused: true },
    });
  });

  test.each([
    ['an unknown field', { colour: 1 }, /unknown field "colour"/u, undefined],
    ['an unknown action', { action: 'simulate' }, /must be one of/u, '/0/action'],
    ['no action', { action: undefined }, /required/u, '/0/action'],
    ['the object that the newest SDK has for an action', { action: { mode: 'ban' } }, /object/u, '/0/action'],
    ['products without a bypass', { products: ['waf'] }, /only a bypass/u, '/0/products'],
    ['a bypass without products', { action: 'bypass' }, /needs products/u, '/0/products'],
    ['an unknown product', { action: 'bypass', products: ['x'] }, /one of/u, '/0/products/0'],
    ['a negative priority', { priority: -1 }, /at least 0/u, '/0/priority'],
    ['too large a priority', { priority: 2_147_483_648 }, /at most 2147483647/u, '/0/priority'],
    ['a long description', { description: 'x'.repeat(501) }, /at most 500/u, '/0/description'],
    ['a long ref', { ref: 'x'.repeat(51) }, /at most 50/u, '/0/ref'],
    ['no filter', { filter: undefined }, /required/u, '/0/filter'],
    ['an empty filter', { filter: {} }, /id, expression/u, '/0/filter'],
    ['an unknown filter', { filter: { id: UNKNOWN } }, /could not find filter/u, '/0/filter/id'],
    ['a log without Enterprise', { action: 'log' }, /Enterprise/u, undefined],
  ])('%s is refused, and nothing is stored', async (_, members, message, pointer) => {
    const bench = await startFirewall();
    const before = bench.service.store.content();
    const rule = { action: 'block', filter: freshFilter(), ...members };
    const refusal = refusalOf(await bench.call('POST', bench.rulesPath, [rule]));
    expect(refusal).toMatchObject({ status: 400, pointer });
    expect(refusal.message).toMatch(message);
    expect(bench.service.store.content()).toEqual(before);
  });
});

describe('specification 4.2: the paths of firewall rules', () => {
  test('POST takes a list of 1 to 25, not the single object of the newest SDK', async () => {
    const bench = await startFirewall();
    const single = await bench.call('POST', bench.rulesPath, {
      action: { mode: 'ban' },
      filter: freshFilter(),
    });
    expect(refusalOf(single)).toMatchObject({ status: 400, message: expect.stringContaining('array') });
    const many = Array.from({ length: 26 }, () => ({ action: 'block', filter: freshFilter() }));
    expect(refusalOf(await bench.call('POST', bench.rulesPath, many)).message).toMatch(/1 to 25/u);
    expect((await bench.call('POST', bench.rulesPath, [])).status).toBe(400);
    expect((await bench.call('POST', bench.rulesPath, many.slice(1))).status).toBe(200);
    expect(await bench.rules()).toHaveLength(25);
  });

  test('PUT of several rules replaces each whole rule, and refers to filters without changing them', async () => {
    const bench = await startFirewall();
    const [a, b] = await bench.create({ description: 'A', priority: 3 }, { description: 'B' });
    const changed = await bench.ok<readonly FirewallRuleView[]>('PUT', bench.rulesPath, [
      { id: b?.id, action: 'challenge', filter: { id: a?.filter.id, expression: 'ignored' } },
      { id: a?.id, action: 'allow', filter: { id: a?.filter.id } },
    ]);
    expect(changed.map((rule) => [rule.id, rule.action, rule.filter])).toEqual([
      [b?.id, 'challenge', a?.filter],
      [a?.id, 'allow', a?.filter],
    ]);
    expect(changed[1]).toEqual({ ...a, action: 'allow', priority: null, description: undefined });
    expect((await bench.rules()).map(({ id }) => id)).toEqual([a?.id, b?.id]);
  });

  test('a batch of changes is one transaction', async () => {
    const bench = await startFirewall();
    const [a] = await bench.create({});
    const before = bench.service.store.content();
    const filter = { id: a?.filter.id };
    const batches = [
      [
        'PUT',
        [
          { id: a?.id, action: 'allow', filter },
          { id: UNKNOWN, action: 'allow', filter },
        ],
      ],
      [
        'PUT',
        [
          { id: a?.id, action: 'allow', filter },
          { id: a?.id, action: 'allow', filter },
        ],
      ],
      ['PUT', [{ id: a?.id, action: 'allow', filter: { id: UNKNOWN } }]],
      [
        'PATCH',
        [
          { id: a?.id, priority: 1 },
          { id: UNKNOWN, priority: 1 },
        ],
      ],
    ] as const;
    for (const [method, body] of batches) {
      expect((await bench.call(method, bench.rulesPath, body)).status).toBe(400);
      expect(bench.service.store.content()).toEqual(before);
    }
  });

  test('PUT of one answers with the rule, PATCH of one with a list of one', async () => {
    const bench = await startFirewall();
    const [a] = await bench.create({});
    const path = `${bench.rulesPath}/${a?.id}`;
    const put = await bench.ok<FirewallRuleView>('PUT', path, {
      id: a?.id,
      action: 'allow',
      filter: { id: a?.filter.id },
    });
    expect(put).toMatchObject({ id: a?.id, action: 'allow' });
    const patched = await bench.ok('PATCH', path, { id: a?.id, priority: 9 });
    expect(patched).toEqual([{ ...put, priority: 9 }]);
    expect(await bench.ok('PATCH', path, { id: a?.id, priority: null })).toEqual([put]);
  });

  test('an id in the body must be the one in the path, or absent', async () => {
    const bench = await startFirewall();
    const [a, b] = await bench.create({}, {});
    const path = `${bench.rulesPath}/${a?.id}`;
    const body = { action: 'allow', filter: { id: a?.filter.id } };
    expect(refusalOf(await bench.call('PUT', path, { ...body, id: b?.id })).pointer).toBe('/id');
    expect((await bench.call('PUT', path, body)).status).toBe(200);
  });

  test('PATCH changes nothing but priorities', async () => {
    const bench = await startFirewall();
    const [a, b] = await bench.create({ description: 'A' }, { description: 'B' });
    const patched = await bench.ok<readonly FirewallRuleView[]>('PATCH', bench.rulesPath, [
      { id: b?.id, priority: 1 },
      { id: a?.id, priority: 2 },
    ]);
    expect(patched).toEqual([
      { ...b, priority: 1 },
      { ...a, priority: 2 },
    ]);
    const more = await bench.call('PATCH', bench.rulesPath, [{ id: a?.id, action: 'allow' }]);
    expect(refusalOf(more).message).toContain('unknown field "action"');
  });

  test('DELETE of several rules ignores unknown ids, deletes nothing without ids, and refuses joined ids', async () => {
    const bench = await startFirewall();
    const [a, b, c] = await bench.create({}, {}, {});
    expect(await bench.ok('DELETE', bench.rulesPath)).toEqual([]);
    expect(await bench.rules()).toHaveLength(3);
    const gone = await bench.ok('DELETE', `${bench.rulesPath}?id=${a?.id}&id=${UNKNOWN}&id=${c?.id}`);
    expect(gone).toEqual([{ id: a?.id }, { id: c?.id }]);
    expect(await bench.rules()).toEqual([b]);
    const joined = await bench.call('DELETE', `${bench.rulesPath}?id=${a?.id},${b?.id}`);
    expect(refusalOf(joined)).toMatchObject({
      status: 400,
      message: `invalid field value: ${a?.id},${b?.id}`,
    });
  });

  test.each([
    ['list', (id: string | undefined) => [{ id }]],
    ['object', (id: string | undefined) => ({ id })],
  ] as const)('DELETE of one rule or filter answers with the id, as %s', async (singleDeletes, form) => {
    const bench = await startFirewall({ switches: { singleDeletes } });
    const [a] = await bench.create({});
    expect(await bench.ok('DELETE', `${bench.rulesPath}/${a?.id}`)).toEqual(form(a?.id));
    const again = await bench.call('DELETE', `${bench.rulesPath}/${a?.id}`);
    expect(again.status).toBe(404);
    const [filter] = await bench.filters();
    await bench.ok('POST', bench.filtersPath, [freshFilter()]);
    const alone = (await bench.filters()).find(({ id }) => id !== filter?.id);
    expect(await bench.ok('DELETE', `${bench.filtersPath}/${alone?.id}`)).toEqual(form(alone?.id));
  });

  test.each(['GET', 'PUT', 'PATCH', 'DELETE'])('%s of an unknown rule is 404', async (method) => {
    const bench = await startFirewall();
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    expect((await bench.call(method, `${bench.rulesPath}/${UNKNOWN}`, body)).status).toBe(404);
  });

  test('other methods are not available, malformed ids have no route', async () => {
    const bench = await startFirewall();
    expect((await bench.call('POST', `${bench.rulesPath}/${UNKNOWN}`, {})).status).toBe(405);
    expect((await bench.call('PATCH', bench.filtersPath, [])).status).toBe(405);
    expect(refusalOf(await bench.call('GET', `${bench.rulesPath}/x`)).code).toBe(7003);
  });
});

describe('api.md 1.3: lists', () => {
  test('have pages of 5 to 100 objects, 25 by default', async () => {
    const bench = await startFirewall();
    const make = (length: number) => bench.create(...Array.from({ length }, () => ({})));
    await make(25);
    await make(5);
    const standard = await bench.call<readonly unknown[]>('GET', bench.rulesPath);
    expect(standard.body.result).toHaveLength(25);
    expect(standard.body.result_info).toEqual({
      page: 1,
      per_page: 25,
      count: 25,
      total_count: 30,
      total_pages: 2,
    });
    const second = await bench.call<readonly unknown[]>('GET', `${bench.rulesPath}?page=4&per_page=8`);
    expect(second.body.result_info).toMatchObject({ page: 4, count: 6, total_pages: 4 });
    for (const path of [bench.rulesPath, bench.filtersPath]) {
      expect((await bench.call('GET', `${path}?per_page=4`)).status).toBe(400);
      expect((await bench.call('GET', `${path}?per_page=101`)).status).toBe(400);
      expect((await bench.call('GET', `${path}?page=0`)).status).toBe(400);
    }
  });

  test('of rules are narrowed by id, action, description and paused', async () => {
    const bench = await startFirewall();
    const [a, b] = await bench.create(
      { description: 'Office hours', action: 'allow' },
      { description: 'Night', paused: true },
    );
    const ids = async (query: string) =>
      (await bench.ok<readonly FirewallRuleView[]>('GET', `${bench.rulesPath}?${query}`)).map(({ id }) => id);
    expect(await ids(`id=${b?.id}`)).toEqual([b?.id]);
    expect(await ids('action=allow')).toEqual([a?.id]);
    expect(await ids('description=OFFICE')).toEqual([a?.id]);
    expect(await ids('paused=true')).toEqual([b?.id]);
    expect(await ids('paused=false&action=block')).toEqual([]);
    expect((await bench.call('GET', `${bench.rulesPath}?paused=maybe`)).status).toBe(400);
  });
});

describe('api.md 11.3: permissions', () => {
  const token = 'reader-reader-reader-reader-reader-read0';
  test('reading needs Firewall Services Read, not Zone WAF; writing needs Write; page rules need their own', async () => {
    const bench = await startFirewall();
    const as = (permission: string) => {
      const [record] = bench.service.store.tokens.all();
      if (record === undefined) {
        throw new Error('the seed has a token');
      }
      const policies = [{ permissions: [permission], resources: ['*'] }];
      bench.service.store.tokens.set(token, { ...record, value: token, policies });
      return { authorization: `Bearer ${token}` };
    };
    const body = [{ action: 'block', filter: freshFilter() }];
    const paths = [bench.rulesPath, bench.filtersPath, `${bench.zone}/rate_limits`];
    for (const path of paths) {
      expect((await bench.call('GET', path, undefined, as('Firewall Services Read'))).status).toBe(200);
      expect((await bench.call('POST', path, body, as('Firewall Services Read'))).status).toBe(403);
      expect((await bench.call('GET', path, undefined, as('Zone WAF Write'))).status).toBe(403);
    }
    expect((await bench.call('POST', bench.rulesPath, body, as('Firewall Services Write'))).status).toBe(200);
    const pages = `${bench.zone}/pagerules`;
    expect((await bench.call('GET', pages, undefined, as('Firewall Services Write'))).status).toBe(403);
    expect((await bench.call('GET', pages, undefined, as('Page Rules Read'))).status).toBe(200);
  });
});
