import { describe, expect, test } from 'vitest';

import { scopeId } from '../../src/emulator/index.ts';
import { account, refusalOf, startBench } from './bench.ts';
import type { Bench } from './bench.ts';

interface ListView {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  readonly num_items: number;
  readonly num_referencing_filters: number;
  readonly created_on: string;
  readonly modified_on: string;
}

interface ItemView {
  readonly id: string;
  readonly comment?: string;
  readonly ip?: string;
  readonly created_on: string;
  readonly modified_on: string;
}

const lists = `${account}/rules/lists`;

const make = (bench: Bench, members: object = {}) =>
  bench.ok<ListView>('POST', lists, { name: 'mine', kind: 'ip', ...members });

async function change(bench: Bench, method: string, list: string, body: unknown): Promise<string> {
  const { operation_id } = await bench.ok<{ operation_id: string }>(method, `${lists}/${list}/items`, body);
  return operation_id;
}

/** Changes items and returns the operation after it has ended. */
async function done(bench: Bench, method: string, list: string, body: unknown): Promise<unknown> {
  const operation = await change(bench, method, list, body);
  bench.clock.advance(1000);
  return bench.ok('GET', `${lists}/bulk_operations/${operation}`);
}

const items = (bench: Bench, list: string, query = '') =>
  bench.ok<readonly ItemView[]>('GET', `${lists}/${list}/items${query}`);

describe('lists (api.md 9.8)', () => {
  test('are created, shown, given a new description and deleted', async () => {
    const bench = await startBench();
    const made = await make(bench, { description: 'Mine' });
    expect(made).toEqual({
      id: made.id,
      name: 'mine',
      description: 'Mine',
      kind: 'ip',
      num_items: 0,
      num_referencing_filters: 0,
      created_on: '2026-03-04T05:06:07Z',
      modified_on: '2026-03-04T05:06:07Z',
    });
    expect(await bench.ok('GET', `${lists}/${made.id}`)).toEqual(made);
    const all = await bench.call<readonly ListView[]>('GET', lists);
    expect(all.body.result.map(({ name }) => name)).toEqual(['office_networks', 'mine']);
    expect(all.body.result_info).toBeUndefined();
    bench.clock.advance(60_000);
    const changed = await bench.ok<ListView>('PUT', `${lists}/${made.id}`, { description: 'Ours' });
    expect(changed).toEqual({ ...made, description: 'Ours', modified_on: '2026-03-04T05:07:07Z' });
    expect(await bench.ok('DELETE', `${lists}/${made.id}`)).toEqual({ id: made.id });
    expect((await bench.call('GET', `${lists}/${made.id}`)).status).toBe(404);
  });

  test.each([
    ['no name', { kind: 'ip' }],
    ['no kind', { name: 'a' }],
    ['a kind that is none', { name: 'a', kind: 'urls' }],
    ['capital letters', { name: 'Mine', kind: 'ip' }],
    ['a name of 51 characters', { name: 'a'.repeat(51), kind: 'ip' }],
    ['items at once', { name: 'a', kind: 'ip', items: [] }],
    ['another type', { name: 'a', kind: 'ip', description: 1 }],
  ])('%s is refused, and nothing is stored', async (_, body) => {
    const bench = await startBench();
    const before = bench.service.store.content();
    expect((await bench.call('POST', lists, body)).status).toBe(400);
    expect(bench.service.store.content()).toEqual(before);
  });

  test('an unknown field is refused with the code of the old decoder (10026)', async () => {
    const bench = await startBench();
    const reply = await bench.call('POST', lists, { name: 'a', kind: 'ip', num_items: 1 });
    expect(refusalOf(reply)).toMatchObject({
      status: 400,
      code: 10026,
      message: 'invalid JSON: unknown field "num_items"',
    });
  });

  test('a second list of the same name is refused', async () => {
    const bench = await startBench();
    await make(bench);
    const reply = await bench.call('POST', lists, { name: 'mine', kind: 'asn' });
    expect(refusalOf(reply)).toMatchObject({ status: 409, pointer: '/name' });
  });

  test('name and kind cannot be changed', async () => {
    const bench = await startBench();
    const { id } = await make(bench);
    expect((await bench.call('PUT', `${lists}/${id}`, { name: 'other' })).status).toBe(400);
    expect((await bench.call('PUT', `${lists}/${id}`, { kind: 'asn' })).status).toBe(400);
  });

  test('exist below accounts only', async () => {
    const bench = await startBench();
    const zone = `/zones/${scopeId('zone', 'shop.example')}`;
    expect(refusalOf(await bench.call('GET', `${zone}/rules/lists`)).code).toBe(7003);
  });

  test.each([
    ['free', 'ip', 1],
    ['pro', 'hostname', 10],
    ['free', 'redirect', 5],
    ['enterprise', 'redirect', 25],
  ])('plan %s allows %s lists up to %s (api.md 8.1, 8.2)', async (plan, kind, max) => {
    const bench = await startBench({ seed: { version: 1, accounts: [{ name: 'Example Shop', plan }] } });
    for (let count = 0; count < max; count += 1) {
      await make(bench, { name: `list_${count}`, kind });
    }
    const reply = await bench.call('POST', lists, { name: 'more', kind });
    expect(refusalOf(reply)).toMatchObject({
      status: 400,
      message: expect.stringContaining(`lists: ${max}`),
    });
  });

  test('need the permission group of lists, by either of its names (api.md 11.2)', async () => {
    const tokens = {
      reader: [{ permissions: ['Account Filter Lists Read'], resources: ['*'] }],
      writer: [{ permissions: ['Account Rule Lists Write'], resources: ['*'] }],
      other: [{ permissions: ['Account WAF Write'], resources: ['*'] }],
    };
    const bench = await startBench({
      seed: { version: 1, accounts: [{ name: 'Example Shop', plan: 'enterprise' }], tokens },
    });
    const as = (name: string) => ({ authorization: `Bearer ${name}` });
    const body = { name: 'a', kind: 'ip' };
    const statuses = [];
    for (const name of ['reader', 'writer', 'other']) {
      statuses.push((await bench.call('GET', lists, undefined, as(name))).status);
      statuses.push((await bench.call('POST', lists, body, as(name))).status);
      statuses.push(
        (await bench.call('GET', `${lists}/bulk_operations/${'0'.repeat(32)}`, undefined, as(name))).status,
      );
    }
    expect(statuses).toEqual([200, 403, 404, 200, 200, 404, 403, 403, 403]);
  });
});

describe('items of lists (api.md 9.8)', () => {
  test('are appended when the operation is completed', async () => {
    const bench = await startBench();
    const { id } = await make(bench);
    const operation = await change(bench, 'POST', id, [
      { ip: '192.0.2.1', comment: 'One' },
      { ip: '2001:db8::/32' },
    ]);
    const at = `${lists}/bulk_operations/${operation}`;
    expect(await bench.ok('GET', at)).toEqual({ id: operation, status: 'pending' });
    expect(await items(bench, id)).toEqual([]);
    bench.clock.advance(500);
    expect(await bench.ok('GET', at)).toEqual({ id: operation, status: 'running' });
    bench.clock.advance(500);
    expect(await bench.ok('GET', at)).toEqual({
      id: operation,
      status: 'completed',
      completed: '2026-03-04T05:06:08Z',
    });
    const [first, second] = await items(bench, id);
    expect(first).toEqual({
      id: first?.id,
      ip: '192.0.2.1',
      comment: 'One',
      created_on: '2026-03-04T05:06:07Z',
      modified_on: '2026-03-04T05:06:07Z',
    });
    expect(second).not.toHaveProperty('comment');
    expect(await bench.ok('GET', `${lists}/${id}/items/${first?.id}`)).toEqual(first);
    expect(await bench.ok('GET', `${lists}/${id}`)).toMatchObject({
      num_items: 2,
      modified_on: '2026-03-04T05:06:08Z',
    });
    await done(bench, 'POST', id, [{ ip: '192.0.2.9' }]);
    expect((await items(bench, id)).map(({ ip }) => ip)).toEqual(['192.0.2.1', '2001:db8::/32', '192.0.2.9']);
  });

  test('are replaced and deleted, and an item that stays keeps its id', async () => {
    const bench = await startBench();
    const { id } = await make(bench);
    await done(bench, 'POST', id, [{ ip: '192.0.2.1' }, { ip: '192.0.2.2' }]);
    const [first] = await items(bench, id);
    await done(bench, 'PUT', id, [{ ip: '192.0.2.3' }, { ip: '192.0.2.1', comment: 'kept' }]);
    const after = await items(bench, id);
    expect(after.map(({ ip }) => ip)).toEqual(['192.0.2.3', '192.0.2.1']);
    expect(after[1]).toMatchObject({ id: first?.id, comment: 'kept' });
    await done(bench, 'DELETE', id, { items: [{ id: after[0]?.id }] });
    expect(await items(bench, id)).toEqual([after[1]]);
    await done(bench, 'PUT', id, []);
    expect(await items(bench, id)).toEqual([]);
  });

  test('an item with an existing value replaces the old item', async () => {
    const bench = await startBench();
    const { id } = await make(bench);
    await done(bench, 'POST', id, [{ ip: '2001:DB8::/32' }]);
    await done(bench, 'POST', id, [{ ip: '2001:db8::/32', comment: 'again' }]);
    expect(await items(bench, id)).toMatchObject([{ comment: 'again' }]);
  });

  test('an account takes one operation at a time: another change of any list is refused with 429 and Retry-After', async () => {
    const bench = await startBench();
    const { id } = await make(bench);
    const other = await make(bench, { name: 'other' });
    await change(bench, 'POST', id, [{ ip: '192.0.2.1' }]);
    for (const list of [id, other.id]) {
      const reply = await bench.call('POST', `${lists}/${list}/items`, [{ ip: '192.0.2.2' }]);
      expect([refusalOf(reply).status, reply.headers.get('retry-after')]).toEqual([429, '1']);
    }
    bench.clock.advance(1000);
    await done(bench, 'POST', id, [{ ip: '192.0.2.2' }]);
    expect(await items(bench, id)).toHaveLength(2);
  });

  test.each([
    ['ip', [{ ip: '2001:db8:0::/32' }, { ip: '2001:DB8::/32' }]],
    ['ip', [{ ip: '192.0.2.1' }, { ip: '192.0.2.1', comment: 'again' }]],
    ['hostname', [{ hostname: { url_hostname: 'a.example' } }, { hostname: { url_hostname: 'A.example' } }]],
    [
      'redirect',
      [
        { redirect: { source_url: 'a.example', target_url: 'https://b.example' } },
        { redirect: { source_url: 'a.example/', target_url: 'https://c.example' } },
      ],
    ],
  ])('in a list of kind %s, one body with the same item twice is refused (10028): %j', async (kind, body) => {
    const bench = await startBench();
    const { id } = await make(bench, { kind });
    expect(refusalOf(await bench.call('POST', `${lists}/${id}/items`, body))).toMatchObject({
      status: 400,
      code: 10028,
      pointer: `/1/${kind}`,
    });
  });

  test('a redirect is answered with a path, and with the flags that were sent', async () => {
    const bench = await startBench();
    const { id } = await make(bench, { kind: 'redirect' });
    await done(bench, 'POST', id, [
      { redirect: { source_url: 'A.example', target_url: 'https://b.example', subpath_matching: false } },
    ]);
    const [item] = await items(bench, id);
    expect(item).toMatchObject({ redirect: { source_url: 'a.example/', subpath_matching: false } });
    expect(item).not.toHaveProperty(['redirect', 'include_subdomains']);
  });

  test('a change completes at once when the switch listOperations is immediate', async () => {
    const bench = await startBench({ switches: { listOperations: 'immediate' } });
    const { id } = await make(bench);
    const operation = await change(bench, 'POST', id, [{ ip: '192.0.2.1' }]);
    expect(await bench.ok('GET', `${lists}/bulk_operations/${operation}`)).toMatchObject({
      status: 'completed',
    });
    expect(await items(bench, id)).toHaveLength(1);
  });

  test('an operation fails when the account would have too many items', async () => {
    const bench = await startBench();
    const { id } = await make(bench, { kind: 'asn' });
    const many = Array.from({ length: 9999 }, (_, index) => ({ asn: index + 1 }));
    const outcome = await done(bench, 'POST', id, many);
    expect(outcome).toMatchObject({
      status: 'failed',
      error: 'exceeded the maximum number of list items: 10001 out of 10000',
    });
    expect(await items(bench, id)).toEqual([]);
    expect(await done(bench, 'POST', id, many.slice(1))).toMatchObject({ status: 'completed' });
  });

  test.each([
    ['ip', { ip: '192.0.2.0/33' }],
    ['ip', { ip: '0.0.0.0/4' }],
    ['ip', { ip: '2000::/8' }],
    ['ip', { ip: '2001:db8::/96' }],
    ['ip', { ip: '192.0.2' }],
    ['ip', { ip: 'fe80::1%eth0' }],
    ['ip', { asn: 1 }],
    ['ip', {}],
    ['ip', { ip: '192.0.2.1', asn: 1 }],
    ['ip', { ip: '192.0.2.1', note: 'x' }],
    ['asn', { asn: -1 }],
    ['asn', { asn: '64496' }],
    ['asn', { asn: 4_294_967_296 }],
    ['hostname', { hostname: 'shop.example' }],
    ['hostname', { hostname: { url_hostname: 'shop_example' } }],
    ['hostname', { hostname: { url_hostname: 'a.*.example' } }],
    ['redirect', { redirect: { source_url: 'a.example/' } }],
    ['redirect', { redirect: { source_url: 'a.example/', target_url: 'b.example' } }],
    [
      'redirect',
      { redirect: { source_url: 'a.example/', target_url: 'https://b.example', status_code: 200 } },
    ],
  ])('in a list of kind %s, %j is refused with its pointer, or as undecodable', async (kind, item) => {
    const bench = await startBench();
    const { id } = await make(bench, { kind });
    const before = bench.service.store.content();
    const reply = await bench.call('POST', `${lists}/${id}/items`, [item]);
    expect(reply.status).toBe(400);
    expect(refusalOf(reply).pointer ?? refusalOf(reply).message).toMatch(/^(?:\/0|invalid JSON)/u);
    expect(bench.service.store.content()).toEqual(before);
  });

  test('a source URL with a query string is refused with code 10053', async () => {
    const bench = await startBench();
    const { id } = await make(bench, { kind: 'redirect' });
    const redirect = { source_url: 'https://a.example/?q=1', target_url: 'https://b.example' };
    expect(refusalOf(await bench.call('POST', `${lists}/${id}/items`, [{ redirect }]))).toEqual({
      status: 400,
      code: 10053,
      message: 'source_url must not contain a query string',
      pointer: undefined,
    });
  });

  test.each([
    ['hostname', { hostname: { url_hostname: '*.shop.example', exclude_exact_hostname: true } }],
    ['asn', { asn: 64_496 }],
    [
      'redirect',
      {
        redirect: {
          source_url: 'shop.example/old',
          target_url: 'https://shop.example/new',
          status_code: 301,
          include_subdomains: false,
          subpath_matching: false,
          preserve_query_string: true,
          preserve_path_suffix: false,
        },
      },
    ],
  ])('a list of kind %s keeps its items as they were sent', async (kind, item) => {
    const bench = await startBench();
    const { id } = await make(bench, { kind });
    await done(bench, 'POST', id, [item]);
    expect(await items(bench, id)).toMatchObject([item]);
  });

  test('are paged by cursors forwards and backwards, and searched (api.md 1.3)', async () => {
    const bench = await startBench();
    const { id } = await make(bench);
    const many = Array.from({ length: 5 }, (_, index) => ({
      ip: `192.0.2.${index}`,
      comment: `c${index % 2}`,
    }));
    await done(bench, 'POST', id, many);
    const page = async (query: string) => {
      const { body } = await bench.call<readonly ItemView[]>(
        'GET',
        `${lists}/${id}/items?per_page=2${query}`,
      );
      const cursors = body.result_info?.['cursors'] as { before?: string; after?: string } | undefined;
      return { ips: body.result.map(({ ip }) => ip), ...cursors };
    };
    const first = await page('');
    const second = await page(`&cursor=${first.after}`);
    const third = await page(`&cursor=${second.after}`);
    expect([first.before, third.after]).toEqual([undefined, undefined]);
    expect([...first.ips, ...second.ips, ...third.ips]).toEqual(many.map(({ ip }) => ip));
    expect((await page(`&cursor=${third.before}`)).ips).toEqual(second.ips);
    expect((await items(bench, id, '?search=C1')).map(({ ip }) => ip)).toEqual(['192.0.2.1', '192.0.2.3']);
    for (const bad of ['per_page=0', 'per_page=501', 'cursor=x']) {
      expect((await bench.call('GET', `${lists}/${id}/items?${bad}`)).status).toBe(400);
    }
  });

  test('an unknown id in a path is 404; an unknown id or a wrong form in a body is 400', async () => {
    const bench = await startBench();
    const { id } = await make(bench);
    const nobody = '0'.repeat(32);
    const replies = [
      await bench.call('GET', `${lists}/${nobody}/items`),
      await bench.call('GET', `${lists}/${id}/items/${nobody}`),
      await bench.call('GET', `${lists}/bulk_operations/${nobody}`),
      await bench.call('DELETE', `${lists}/${id}/items`, { items: [{ id: nobody }] }),
      await bench.call('DELETE', `${lists}/${id}/items`, { items: [] }),
      await bench.call('POST', `${lists}/${id}/items`, { ip: '192.0.2.1' }),
    ];
    expect(replies.map((reply) => [reply.status, refusalOf(reply).pointer])).toEqual([
      [404, undefined],
      [404, undefined],
      [404, undefined],
      [400, '/items/0/id'],
      [400, '/items'],
      [400, undefined],
    ]);
  });
});

test('a seed can hold lists with items, and an invalid item is refused with its place', async () => {
  const seed = (item: unknown) => ({
    version: 1,
    accounts: [{ name: 'Example Shop', lists: [{ name: 'a', kind: 'ip', items: [item] }] }],
  });
  const bench = await startBench({ seed: seed({ ip: '192.0.2.1', comment: 'Seeded' }) });
  const [list] = await bench.ok<readonly ListView[]>('GET', lists);
  expect(await items(bench, list?.id ?? '')).toMatchObject([{ ip: '192.0.2.1', comment: 'Seeded' }]);
  await expect(startBench({ seed: seed({ ip: 'x' }) })).rejects.toThrow('/lists/a/items/0/ip');
});
