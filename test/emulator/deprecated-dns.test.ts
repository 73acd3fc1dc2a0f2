import { describe, expect, test } from 'vitest';

import { startBench } from './bench.ts';
import type { Bench } from './bench.ts';
import { oldZone, zone } from './migration-zone.ts';

const RECORDS = `${zone}/dns_records`;

async function at(date: string): Promise<Bench> {
  const bench = await startBench({ seed: oldZone() });
  await bench.control('PUT', '/clock', { now: `${date}T00:00:00Z` });
  return bench;
}

interface Record_ {
  readonly id: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

const a = { type: 'A', name: 'www', content: '192.0.2.1', ttl: 300 };
const wrong = { ...a, content: 'nonsense' };
const cause = { code: 9005, message: 'Content for A record must be a valid IPv4 address.' };
const srv = {
  type: 'SRV',
  name: '_sip._tcp.old.example',
  data: { priority: 1, weight: 2, port: 5060, target: 'sip.old.example' },
};

describe('specification 7.2 and 9 row "DNS validation errors"', () => {
  test('until 2024-10-01: code 1004 with the root cause in error_chain', async () => {
    const reply = await (await at('2024-09-30')).call('POST', RECORDS, wrong);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ success: false, result: null });
    expect(reply.body.errors).toEqual([
      { code: 1004, message: 'DNS Validation Error', error_chain: [cause] },
    ]);
  });

  test('from 2024-10-01 on: the root cause is the error, without error_chain', async () => {
    const reply = await (await at('2024-10-01')).call('POST', RECORDS, wrong);
    expect(reply.status).toBe(400);
    expect(reply.body.errors).toEqual([cause]);
  });

  test.each([
    [{ ...a, type: 'X' }],
    [{ ...a, type: 'AAAA' }],
    [{ ...a, type: 'TXT', content: '' }],
    [{ ...a, name: 'two words' }],
    [{ ...srv, data: { port: 'x' } }],
  ])('%j is refused and not stored', async (body) => {
    const bench = await at('2026-01-01');
    expect((await bench.call('POST', RECORDS, body)).status).toBe(400);
    expect(await bench.ok('GET', RECORDS)).toEqual([]);
  });
});

describe('specification 9 row "DNS records zone info"', () => {
  test('zone_id and zone_name are returned until 2024-11-30 and then no longer', async () => {
    const bench = await at('2024-11-29');
    const made = await bench.ok<Record_>('POST', RECORDS, a);
    const fields = { zone_id: zone.slice('/zones/'.length), zone_name: 'old.example' };
    expect(made).toMatchObject(fields);
    await bench.control('PUT', '/clock', { now: '2024-11-30T00:00:00Z' });
    const { zone_id: _, zone_name: __, ...rest } = made as unknown as Record<string, unknown>;
    expect(await bench.ok('GET', `${RECORDS}/${made.id}`)).toEqual(rest);
    expect(await bench.ok('GET', RECORDS)).toEqual([rest]);
  });

  test.each(['2024-11-29', '2026-01-01'])(
    'requests with zone_id and zone_name are accepted, %s',
    async (date) => {
      const bench = await at(date);
      const made = await bench.ok<Record_>('POST', RECORDS, {
        ...a,
        zone_id: 'f'.repeat(32),
        zone_name: 'x.y',
      });
      expect(made).toMatchObject({ name: 'www.old.example' });
      const path = `${RECORDS}/${made.id}`;
      expect(await bench.ok('PATCH', path, { ttl: 600, zone_name: 'x.y' })).toMatchObject({ ttl: 600 });
      expect(await bench.ok('PUT', path, { ...a, zone_id: 'f'.repeat(32) })).toMatchObject({ ttl: 300 });
    },
  );
});

describe('specification 9 row "DNS record field locked"', () => {
  test('is false until 2024-07-14, then omitted; in requests it is accepted and ignored', async () => {
    const bench = await at('2024-07-13');
    const made = await bench.ok<Record_>('POST', RECORDS, { ...a, locked: true });
    expect(made).toMatchObject({ locked: false });
    await bench.control('PUT', '/clock', { now: '2024-07-14T00:00:00Z' });
    expect(await bench.ok('GET', `${RECORDS}/${made.id}`)).not.toHaveProperty('locked');
    expect(await bench.ok('PUT', `${RECORDS}/${made.id}`, { ...a, locked: true })).not.toHaveProperty(
      'locked',
    );
  });
});

describe('specification 7.7 and 9 row "SRV record data fields service, proto, name"', () => {
  const full = { ...srv.data, service: '_sip', proto: '_tcp', name: 'old.example' };

  test('until 2024-05-31 answers have them, and requests may have them, also instead of the record name', async () => {
    const bench = await at('2024-05-30');
    const made = await bench.ok<Record_>('POST', RECORDS, { type: 'SRV', data: full });
    expect(made).toMatchObject({ name: '_sip._tcp.old.example', data: full });
    expect(await bench.ok('POST', RECORDS, srv)).toMatchObject({ data: full });
  });

  test('from 2024-05-31 on answers omit them; priority, weight, port and target are unaffected', async () => {
    const bench = await at('2024-05-30');
    const made = await bench.ok<Record_>('POST', RECORDS, { type: 'SRV', data: full });
    await bench.control('PUT', '/clock', { now: '2024-05-31T00:00:00Z' });
    const now = await bench.ok<Record_>('GET', `${RECORDS}/${made.id}`);
    expect(now).toMatchObject({ name: '_sip._tcp.old.example' });
    expect(now.data).toEqual(srv.data);
  });

  test.each(['service', 'proto', 'name'])(
    'from 2024-05-31 on every write with data.%s is refused',
    async (field) => {
      const bench = await at('2024-05-31');
      const made = await bench.ok<Record_>('POST', RECORDS, srv);
      const data = { ...srv.data, [field]: full[field as 'service' | 'proto' | 'name'] };
      for (const [method, path] of [
        ['POST', RECORDS],
        ['PUT', `${RECORDS}/${made.id}`],
        ['PATCH', `${RECORDS}/${made.id}`],
      ] as const) {
        const reply = await bench.call(method, path, { ...srv, data });
        expect([reply.status, reply.body.success]).toEqual([400, false]);
      }
      expect(await bench.ok('GET', RECORDS)).toEqual([made]);
    },
  );
});

describe('api.md 12.1, DNS records', () => {
  test('row "change of DNS record type": accepted until 2026-06-30, refused from then on', async () => {
    const bench = await at('2026-06-29');
    const { id } = await bench.ok<Record_>('POST', RECORDS, a);
    const aaaa = { ...a, type: 'AAAA', content: '2001:db8::1' };
    expect(await bench.ok('PUT', `${RECORDS}/${id}`, aaaa)).toMatchObject({ type: 'AAAA' });
    await bench.control('PUT', '/clock', { now: '2026-06-30T00:00:00Z' });
    expect((await bench.call('PUT', `${RECORDS}/${id}`, a)).status).toBe(400);
    expect((await bench.call('PATCH', `${RECORDS}/${id}`, { type: 'A', content: '192.0.2.1' })).status).toBe(
      400,
    );
    expect(await bench.ok('PUT', `${RECORDS}/${id}`, { ...aaaa, ttl: 60 })).toMatchObject({ ttl: 60 });
  });

  test('row "DNS record list filters": name=contains:x until 2025-05-23, name.contains=x always', async () => {
    const bench = await at('2025-05-22');
    for (const name of ['shop', 'www', 'webshop']) {
      await bench.ok('POST', RECORDS, { ...a, name });
    }
    const names = async (query: string) =>
      (await bench.ok<readonly { readonly name: string }[]>('GET', `${RECORDS}?${query}`)).map(
        ({ name }) => name,
      );
    const found = ['shop.old.example', 'webshop.old.example'];
    expect(await names('name=contains:shop')).toEqual(found);
    expect(await names('name.contains=shop')).toEqual(found);
    await bench.control('PUT', '/clock', { now: '2025-05-23T00:00:00Z' });
    expect(await names('name=contains:shop')).toEqual([]);
    expect(await names('name.contains=shop')).toEqual(found);
    expect(await names('name.startswith=web')).toEqual(['webshop.old.example']);
    expect(await names('name.endswith=.example&content=192.0.2.1')).toHaveLength(3);
    expect(await names('name=www.old.example')).toEqual(['www.old.example']);
  });
});

test('a DNS record can be deleted and is 404 afterwards', async () => {
  const bench = await at('2026-01-01');
  const { id } = await bench.ok<Record_>('POST', RECORDS, a);
  expect(await bench.ok('DELETE', `${RECORDS}/${id}`)).toEqual({ id });
  expect((await bench.call('GET', `${RECORDS}/${id}`)).status).toBe(404);
});
