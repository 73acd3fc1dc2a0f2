import { connect } from 'node:net';

import { describe, expect, onTestFinished, test } from 'vitest';

import { effectiveDate } from '../../src/model/retired/deprecation.ts';
import { DEPRECATIONS } from '../../src/model/retired/deprecations.ts';
import { fakeClock, scopeId, startEmulator } from '../../src/emulator/index.ts';
import { startBench } from './bench.ts';
import type { Bench } from './bench.ts';
import { oldZone, zone } from './migration-zone.ts';

const account = `/accounts/${scopeId('account', 'A')}`;
const id = 'c'.repeat(32);

async function at(date: string): Promise<Bench> {
  const bench = await startBench({ seed: oldZone() });
  await bench.control('PUT', '/clock', { now: `${date}T00:00:00Z` });
  return bench;
}

const dayBefore = (date: string) => new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);

function path(template: string): string {
  return template
    .replace('/zones/{zone_id}', zone)
    .replace('/accounts/{account_id}', account)
    .replaceAll(/\{\w+\}/gu, id);
}

/** The rows whose routes go away, except settings, which have tests of their own. */
const gone = DEPRECATIONS.filter(
  ({ effect, affects }) => effect.kind === 'gone' && affects.some(({ path }) => !path.includes('/settings')),
).map((row) => [row.subject, row] as const);

describe('rows that remove routes (specification 9, api.md 12.1)', () => {
  test.each(gone)('%s', async (_, row) => {
    const day = effectiveDate(row);
    const before = await at(dayBefore(day));
    const after = await at(day);
    for (const { methods, path: template } of row.affects) {
      for (const method of methods) {
        const body = method === 'GET' || method === 'DELETE' ? undefined : {};
        const earlier = await before.call(method, path(template), body);
        expect(earlier.status).toBeLessThan(405);
        expect(earlier.body.errors[0]?.code).not.toBe(7003);
        const reply = await after.call(method, path(template), body);
        expect([method, template, reply.status]).toEqual([method, template, 410]);
        expect(reply.body.errors[0]?.message).toContain(day);
      }
    }
  });
});

/** Rows that are deprecated in the documentation only: lists of objects, with the methods that they accept. */
const lists: readonly (readonly [string, string, readonly string[]])[] = [
  ['Legacy tunnel API', `${account}/tunnels`, ['POST', 'GET', 'DELETE']],
  ['Access bookmark applications', `${account}/access/bookmarks`, ['POST one', 'GET', 'PUT', 'DELETE']],
  ['Organizations, invites', `/organizations/${id}/invites`, ['POST', 'GET', 'PATCH', 'DELETE']],
  ['Organizations, accelerators', `/organizations/${id}/accelerators`, ['POST', 'GET', 'PATCH', 'DELETE']],
  [
    'Load balancing field notification_email',
    `${account}/load_balancers/pools`,
    ['POST', 'GET', 'PUT', 'PATCH'],
  ],
  ['Access field self_hosted_domains', `${account}/access/apps`, ['POST', 'GET', 'PUT']],
];

describe('specification 9, rows that are deprecated and still answer', () => {
  test.each(lists)('row "%s": %s', async (_, list, verbs) => {
    for (const day of ['2019-01-01', '2026-01-01']) {
      const bench = await at(day);
      const body = { name: 'x', notification_email: 'a@b.example', self_hosted_domains: ['y.example'] };
      const made = verbs.includes('POST')
        ? await bench.ok<{ readonly id: string }>('POST', list, body)
        : await bench.ok<{ readonly id: string }>('POST', `${list}/${id}`, body);
      expect(made).toMatchObject(body);
      const one = `${list}/${made.id}`;
      expect(await bench.ok('GET', list)).toEqual([made]);
      expect(await bench.ok('GET', one)).toEqual(made);
      for (const verb of verbs.filter((each) => each === 'PUT' || each === 'PATCH' || each === 'DELETE')) {
        const reply = await bench.call(verb, one, verb === 'DELETE' ? undefined : { name: verb });
        const name = verb === 'DELETE' ? {} : { name: verb };
        expect([verb, reply.status, reply.body.result]).toMatchObject([verb, 200, { id: made.id, ...name }]);
      }
      expect((await bench.call('GET', one)).status).toBe(verbs.includes('DELETE') ? 404 : 200);
    }
  });

  test.each([
    ['Billing profile and history', `${account}/billing/profile`],
    ['Billing profile and history', '/user/billing/profile'],
    ['Billing profile and history', '/user/billing/history'],
    ['Zone analytics', `${zone}/analytics/dashboard`],
    ['Zone analytics', `${zone}/analytics/colos`],
    ['Organizations', `/organizations/${id}`],
    ['Organizations', `/organizations/${id}/members`],
    ['Organizations', `/organizations/${id}/roles`],
    ['Organizations', `/organizations/${id}/audit_logs`],
    ['Organizations', `/organizations/${id}/accelerators/${id}/zones`],
    ['Zero Trust devices endpoints', `${account}/devices`],
  ])('row "%s": GET %s', async (_, place) => {
    for (const day of ['2019-01-01', '2026-01-01']) {
      const reply = await (await at(day)).call('GET', place);
      expect([reply.status, reply.body.success]).toEqual([200, true]);
    }
  });

  test('row "Organizations": PATCH stores the name', async () => {
    const bench = await at('2026-01-01');
    await bench.ok('PATCH', `/organizations/${id}`, { name: 'Old' });
    expect(await bench.ok('GET', `/organizations/${id}`)).toMatchObject({ name: 'Old' });
  });

  test('row "Image direct upload v1": POST answers with the given member', async () => {
    const bench = await at('2026-01-01');
    expect(
      await bench.ok('POST', `${account}/images/v1/direct_upload`, { requireSignedURLs: true }),
    ).toMatchObject({
      requireSignedURLs: true,
    });
  });

  test('row "Script monitoring routes": script_monitor and page_shield show the same scripts', async () => {
    for (const day of ['2022-01-01', '2026-01-01']) {
      const bench = await at(day);
      const [old, fresh] = await Promise.all(
        ['script_monitor', 'page_shield'].map((segment) => bench.call('GET', `${zone}/${segment}/scripts`)),
      );
      expect(old?.body).toEqual(fresh?.body);
      expect(old?.status).toBe(200);
    }
  });

  test('rows "Firewall rules and filters", "Previous managed-rules WAF", "Previous rate limiting": still answer when deprecated', async () => {
    for (const day of ['2024-12-31', '2025-01-15', '2025-06-15', '2026-11-01']) {
      const bench = await at(day);
      for (const family of [
        'firewall/rules',
        'filters',
        'firewall/waf/packages',
        'firewall/waf/overrides',
        'rate_limits',
      ]) {
        expect((await bench.call('GET', `${zone}/${family}`)).status).toBe(200);
      }
    }
  });
});

test('api.md 12.1 row "Gateway audit_ssh rules": refused from 2026-07-15 on, unlike another action', async () => {
  const bench = await at('2026-07-14');
  const list = `${account}/gateway/rules`;
  const rule = await bench.ok<{ readonly id: string }>('POST', list, { name: 'x', action: 'audit_ssh' });
  await bench.control('PUT', '/clock', { now: '2026-07-15T00:00:00Z' });
  expect((await bench.call('POST', list, { action: 'audit_ssh' })).status).toBe(400);
  expect((await bench.call('PUT', `${list}/${rule.id}`, { action: 'audit_ssh' })).status).toBe(400);
  expect((await bench.call('POST', list, { action: 'block' })).status).toBe(200);
});

describe('specification 7.3 and 9 row "Transfer-Encoding with Content-Length"', () => {
  /** Sends the text as it is and resolves to the answer. */
  async function send(port: number, text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let answer = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      socket.on('data', (chunk: Buffer) => {
        answer += chunk.toString();
        if (/\r\n\r\n[^]*\}/u.test(answer)) {
          socket.destroy();
        }
      });
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
    });
  }

  const body = JSON.stringify({ rules: [] });
  const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

  async function put(date: string, ...headers: readonly string[]): Promise<string> {
    const emulator = await startEmulator({ seed: oldZone(), clock: fakeClock(`${date}T00:00:00Z`) });
    onTestFinished(() => emulator.close());
    const target = `/client/v4${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`;
    const shared = [
      `PUT ${target} HTTP/1.1`,
      `host: 127.0.0.1:${emulator.port}`,
      `authorization: Bearer ${emulator.token}`,
      'content-type: application/json',
      'connection: close',
    ];
    const both = headers.includes('transfer-encoding: chunked');
    return send(emulator.port, [...shared, ...headers, '', both ? chunked : body].join('\r\n'));
  }

  const length = `content-length: ${body.length}`;
  const encoding = 'transfer-encoding: chunked';

  test('a request with both headers is refused from 2023-07-01 on, with the envelope of a refusal', async () => {
    const answer = await put('2023-07-01', length, encoding);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /u);
    expect(answer).toContain('"success":false');
    expect(answer).toContain('Transfer-Encoding');
  });

  test('a request with both headers is accepted before 2023-07-01', async () => {
    expect(await put('2023-06-30', length, encoding)).toMatch(/^HTTP\/1\.1 200 /u);
  });

  test.each([[length], [encoding]])('a request with one of the headers is accepted: %s', async (header) => {
    expect(await put('2026-01-01', header)).toMatch(/^HTTP\/1\.1 200 /u);
  });
});

test('specification 7.1: refusals of deprecated families have success false, result null and an error', async () => {
  const bench = await at('2026-11-01');
  for (const [method, place, body] of [
    ['GET', `${zone}/settings`, undefined],
    ['PATCH', `${zone}/settings/brotli`, { value: 1 }],
    ['POST', `${zone}/dns_records`, { type: 'A', name: 'x', content: 'y' }],
    ['GET', `${zone}/firewall/waf/packages/${id}`, undefined],
    ['POST', `${zone}/firewall/waf/overrides`, {}],
    ['GET', `${account}/custom_ns/availability`, undefined],
  ] as const) {
    const reply = await bench.call(method, place, body);
    expect(reply.body).toMatchObject({ success: false, result: null, messages: [] });
    expect(reply.body.errors.length).toBeGreaterThan(0);
  }
});
