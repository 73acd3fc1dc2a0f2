import { describe, expect, test } from 'vitest';

import { api, blockRule, entryPoint, refusalOf, shop, startBench } from './bench.ts';
import { startFirewall } from './firewall-bench.ts';

const CUSTOM = 'http_request_firewall_custom';

describe('the request budget (api.md 1.7)', () => {
  const seed = {
    version: 1,
    accounts: [{ name: 'A' }],
    tokens: { 'second-token': [{ permissions: ['*'], resources: ['*'] }] },
    users: [
      {
        email: 'other@shop.example',
        key: 'f'.repeat(37),
        tokens: { 'other-token': [{ permissions: ['*'], resources: ['*'] }] },
      },
    ],
  };
  const token = (value: string) => ({ authorization: `Bearer ${value}` });
  const key = (email: string, value: string) => ({
    authorization: '',
    'x-auth-email': email,
    'x-auth-key': value,
  });

  test('is shared by all credentials of a user, and separate for each user', async () => {
    const bench = await startBench({ seed, budget: { requests: 3, seconds: 300 } });
    const remaining = async (headers: Readonly<Record<string, string>>) => {
      const reply = await bench.call('GET', '/zones', undefined, headers);
      return [reply.status, reply.headers.get('x-ratelimit-remaining')];
    };
    expect(await remaining({})).toEqual([200, '2']);
    expect(await remaining(token('second-token'))).toEqual([200, '1']);
    expect(await remaining(key('owner@shop.example', 'e'.repeat(37)))).toEqual([200, '0']);
    expect(await remaining(token('second-token'))).toEqual([429, '0']);
    expect(await remaining(token('other-token'))).toEqual([200, '2']);
    expect(await remaining(key('other@shop.example', 'f'.repeat(37)))).toEqual([200, '1']);
    expect(await remaining({})).toEqual([429, '0']);
  });

  test('is reported in both families of headers, with Retry-After only on a 429', async () => {
    const bench = await startBench({ budget: { requests: 1, seconds: 300 } });
    const names = [
      'ratelimit',
      'ratelimit-policy',
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'retry-after',
    ];
    const first = await bench.call('GET', '/zones');
    bench.clock.advance(10_500);
    const second = await bench.call('GET', '/zones');
    expect(names.map((name) => first.headers.get(name))).toEqual([
      '"default";r=0;t=300',
      '"default";q=1;w=300',
      '1',
      '0',
      null,
    ]);
    expect(names.map((name) => second.headers.get(name))).toEqual([
      '"default";r=0;t=300',
      '"default";q=1;w=300',
      '1',
      '0',
      '300',
    ]);
  });
});

describe('writes to one ruleset in quick succession (api.md 1.7, numbers assumed)', () => {
  test('are refused when the switch rulesetWrites is limited, until some time has passed', async () => {
    const bench = await startBench({ switches: { rulesetWrites: 'limited' } });
    const path = entryPoint(api, CUSTOM);
    const statuses = [];
    for (let count = 0; count < 11; count += 1) {
      statuses.push((await bench.call('PUT', path, { rules: [] })).status);
      bench.clock.advance(100);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    const refused = await bench.call('PUT', path, { rules: [] });
    expect([refusalOf(refused).status, refused.headers.get('retry-after')]).toEqual([429, '9']);
    expect((await bench.call('PUT', entryPoint(shop, CUSTOM), { rules: [] })).status).toBe(200);
    bench.clock.advance(8900);
    expect((await bench.call('PUT', path, { rules: [] })).status).toBe(200);
    expect((await bench.call('PUT', path, { rules: [] })).status).toBe(429);
  });

  test('a large ruleset allows fewer writes; dry runs and refused writes do not count', async () => {
    const bench = await startBench({ switches: { rulesetWrites: 'limited' } });
    const path = entryPoint(shop, CUSTOM);
    const rules = Array.from({ length: 800 }, (_, index) => blockRule({ ref: `r${index}` }));
    await bench.ok('PUT', path, { rules });
    for (let count = 0; count < 20; count += 1) {
      expect((await bench.call('PUT', `${path}?dry_run=true`, { description: 'x' })).status).toBe(200);
      expect((await bench.call('PUT', path, { kind: 'zone' })).status).toBe(400);
    }
    expect((await bench.call('PUT', path, { description: 'a' })).status).toBe(200);
    expect((await bench.call('PUT', path, { description: 'b' })).status).toBe(429);
  });

  test('are refused through the old interface too, when its rules are custom rules', async () => {
    const bench = await startFirewall({ world: 'one_list', switches: { rulesetWrites: 'limited' } });
    const create = (path: string) =>
      bench.call('POST', bench.rulesPath, [
        { action: 'block', filter: { expression: `http.request.uri.path eq "${path}"` } },
      ]);
    for (let count = 0; count < 10; count += 1) {
      expect((await create(`/${count}`)).status).toBe(200);
    }
    const refused = await create('/last');
    expect([refusalOf(refused).status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    expect(await bench.rules()).toHaveLength(10);
  });

  test('are not limited by default', async () => {
    const bench = await startBench();
    for (let count = 0; count < 30; count += 1) {
      expect((await bench.call('PUT', entryPoint(api, CUSTOM), { rules: [] })).status).toBe(200);
    }
  });
});
