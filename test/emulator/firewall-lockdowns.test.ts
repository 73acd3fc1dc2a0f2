import { describe, expect, test } from 'vitest';

import { refusalOf } from './bench.ts';
import { startFirewall } from './firewall-bench.ts';

interface ObjectView {
  readonly id: string;
  readonly modified_on: string;
}

const lockdown = (members: Readonly<Record<string, unknown>> = {}) => ({
  urls: ['z.example/admin*'],
  configurations: [{ target: 'ip', value: '198.51.100.4' }],
  ...members,
});
const agent = (members: Readonly<Record<string, unknown>> = {}) => ({
  mode: 'block',
  configuration: { target: 'ua', value: 'BadBot' },
  ...members,
});

describe('api.md 9.7: zone lockdowns', () => {
  test('are created, listed, read, replaced and deleted', async () => {
    const bench = await startFirewall();
    const path = `${bench.zone}/firewall/lockdowns`;
    const made = await bench.ok<ObjectView>('POST', path, lockdown({ description: 'Admin' }));
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/u),
      created_on: expect.any(String),
      modified_on: made.modified_on,
      paused: false,
      description: 'Admin',
      ...lockdown(),
    });
    const put = await bench.ok<ObjectView>('PUT', `${path}/${made.id}`, lockdown({ paused: true }));
    expect(put).toEqual({ ...made, description: undefined, paused: true, modified_on: put.modified_on });
    expect(await bench.ok('GET', `${path}/${made.id}`)).toEqual(put);
    expect(await bench.ok('GET', path)).toEqual([put]);
    expect(await bench.ok('DELETE', `${path}/${made.id}`)).toEqual({ id: made.id });
    expect((await bench.call('GET', `${path}/${made.id}`)).status).toBe(404);
  });

  test.each([
    ['no urls', { urls: [] }, 'at least one url'],
    ['no addresses', { configurations: [] }, 'at least one configuration'],
    ['no address', { configurations: [{ target: 'ip', value: 'x' }] }, 'invalid ip x'],
    ['a range as address', { configurations: [{ target: 'ip', value: '192.0.2.0/24' }] }, 'invalid ip'],
    [
      'an address as range',
      { configurations: [{ target: 'ip_range', value: '192.0.2.1' }] },
      'invalid ip_range',
    ],
    [
      'a range that is too long',
      { configurations: [{ target: 'ip_range', value: '192.0.2.0/33' }] },
      'invalid ip_range',
    ],
    ['another target', { configurations: [{ target: 'asn', value: '1' }] }, 'invalid asn'],
    [
      'too many',
      {
        configurations: Array.from({ length: 251 }, (_, i) => ({
          target: 'ip',
          value: `192.0.2.${i % 250}`,
        })),
      },
      'max 250 IP/CIDRs exceeded',
    ],
  ])('%s is refused', async (_, members, reason) => {
    const bench = await startFirewall();
    const path = `${bench.zone}/firewall/lockdowns`;
    const refusal = refusalOf(await bench.call('POST', path, lockdown(members)));
    expect(refusal.status).toBe(400);
    expect(refusal.message).toContain(`zonelockdown.api.validation=${reason}`);
    expect(await bench.ok('GET', path)).toEqual([]);
  });

  test.each([
    ['free', 0],
    ['pro', 3],
    ['business', 10],
    ['enterprise', 200],
  ])('plan %s allows at most %i', async (plan, max) => {
    const bench = await startFirewall({ plan });
    const path = `${bench.zone}/firewall/lockdowns`;
    for (let count = 0; count < max; count += 1) {
      await bench.ok('POST', path, lockdown());
    }
    expect((await bench.call('POST', path, lockdown())).status).toBe(400);
  });

  test('api.md 1.3: are narrowed by description, url, address and range', async () => {
    const lockdowns = [
      lockdown({ description: 'Admin' }),
      lockdown({
        urls: ['z.example/api*'],
        configurations: [{ target: 'ip_range', value: '203.0.113.0/24' }],
        priority: 5,
      }),
    ];
    const bench = await startFirewall({ more: { lockdowns } });
    const urls = async (query: string) =>
      (
        await bench.ok<readonly { readonly urls: readonly string[] }[]>(
          'GET',
          `${bench.zone}/firewall/lockdowns?${query}`,
        )
      ).map((each) => each.urls[0]);
    expect(await urls('description_search=admin')).toEqual(['z.example/admin*']);
    expect(await urls('uri_search=api')).toEqual(['z.example/api*']);
    expect(await urls('ip=198.51.100.4')).toEqual(['z.example/admin*']);
    expect(await urls('ip_range_search=203.0.113')).toEqual(['z.example/api*']);
    expect(await urls('priority=5')).toEqual(['z.example/api*']);
  });
});

describe('api.md 9.7: user agent rules', () => {
  test('are created, listed, replaced and deleted', async () => {
    const bench = await startFirewall();
    const path = `${bench.zone}/firewall/ua_rules`;
    const made = await bench.ok<ObjectView>('POST', path, agent({ description: 'Bots' }));
    expect(made).toEqual({ id: expect.any(String), paused: false, description: 'Bots', ...agent() });
    const put = await bench.ok('PUT', `${path}/${made.id}`, agent({ mode: 'js_challenge', paused: true }));
    expect(put).toEqual({ id: made.id, paused: true, ...agent({ mode: 'js_challenge' }) });
    expect(await bench.ok('GET', `${path}?user_agent=badbot&paused=true`)).toEqual([put]);
    expect(await bench.ok('GET', `${path}?paused=false`)).toEqual([]);
    expect(await bench.ok('DELETE', `${path}/${made.id}`)).toEqual({ id: made.id });
  });

  test.each([
    [{ mode: 'log' }, /mode because it must be one of/u],
    [{ configuration: undefined }, /configuration because it is required/u],
    [{ configuration: { target: 'ip', value: 'x' } }, /target because it must be one of ua/u],
    [{ configuration: { target: 'ua', value: '' } }, /cannot be blank/u],
    [{ colour: 1 }, /unknown field/u],
  ])('%j is refused', async (members, message) => {
    const bench = await startFirewall();
    const reply = await bench.call('POST', `${bench.zone}/firewall/ua_rules`, agent(members));
    expect(refusalOf(reply).status).toBe(400);
    expect(refusalOf(reply).message).toMatch(message);
  });

  test('a user agent rule is not found among lockdowns or rate limits', async () => {
    const bench = await startFirewall();
    const made = await bench.ok<ObjectView>('POST', `${bench.zone}/firewall/ua_rules`, agent());
    expect((await bench.call('GET', `${bench.zone}/firewall/lockdowns/${made.id}`)).status).toBe(404);
    expect((await bench.call('GET', `${bench.zone}/rate_limits/${made.id}`)).status).toBe(404);
  });
});
