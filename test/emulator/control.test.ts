import { describe, expect, test } from 'vitest';

import { api, entryPoint, startBench } from './bench.ts';

const CUSTOM = 'http_request_firewall_custom';
const BASE = '/client/v4';

describe('the record of requests', () => {
  test('holds every request, oldest first, with its query and whether it wrote', async () => {
    const bench = await startBench();
    const path = entryPoint(api, CUSTOM);
    await bench.call('GET', `${path}?a=b%20c`);
    await bench.call('PUT', path, { rules: [] });
    await bench.call('PUT', path, { kind: 'zone' });
    await bench.call('GET', '/nowhere');
    await bench.call('GET', '/zones', undefined, { authorization: 'Bearer nobody' });
    const response = await bench.control('GET', '/requests');
    expect(await response.json()).toEqual([
      { method: 'GET', path: `${BASE}${path}?a=b%20c`, status: 200, wrote: false },
      { method: 'PUT', path: BASE + path, status: 200, wrote: true },
      { method: 'PUT', path: BASE + path, status: 400, wrote: false },
      { method: 'GET', path: `${BASE}/nowhere`, status: 400, wrote: false },
      { method: 'GET', path: `${BASE}/zones`, status: 403, wrote: false },
    ]);
  });

  test('is cleared by DELETE; control requests are not in it', async () => {
    const bench = await startBench();
    await bench.call('GET', '/zones');
    expect((await bench.control('DELETE', '/requests')).ok).toBe(true);
    expect(await (await bench.control('GET', '/requests')).json()).toEqual([]);
  });

  test('is also reported to the log listener', async () => {
    const heard: unknown[] = [];
    const bench = await startBench({ log: (event) => heard.push(event) });
    await bench.call('GET', '/zones');
    expect(heard).toEqual([
      { kind: 'request', method: 'GET', path: `${BASE}/zones`, status: 200, wrote: false },
    ]);
  });
});

describe('reset', () => {
  test('returns to the seed, with an empty record and a full budget', async () => {
    const bench = await startBench({ budget: { requests: 3, seconds: 300 } });
    const seed = bench.service.store.content();
    const list = await bench.ok<readonly { readonly id: string; readonly kind: string }[]>(
      'GET',
      `${api}/rulesets`,
    );
    const own = list.find(({ kind }) => kind === 'zone');
    expect((await bench.call('DELETE', `${api}/rulesets/${own?.id}`)).status).toBe(204);
    expect(bench.service.store.content()).not.toEqual(seed);
    expect((await bench.control('POST', '/reset')).ok).toBe(true);
    expect(bench.service.store.content()).toEqual(seed);
    expect(bench.service.requests).toEqual([]);
    expect((await bench.call('GET', '/zones')).headers.get('x-ratelimit-remaining')).toBe('2');
    expect(await bench.ok('GET', `${api}/rulesets`)).toEqual(list);
  });
});

describe('the clock', () => {
  test('can be read, set and moved', async () => {
    const bench = await startBench();
    expect(await (await bench.control('GET', '/clock')).json()).toEqual({ now: '2026-03-04T05:06:07.000Z' });
    await bench.control('PUT', '/clock', { now: '2027-01-01T00:00:00Z' });
    await bench.control('PUT', '/clock', { advance_seconds: 90 });
    expect(await (await bench.control('GET', '/clock')).json()).toEqual({ now: '2027-01-01T00:01:30.000Z' });
    const ruleset = await bench.ok('PUT', entryPoint(api, CUSTOM), { rules: [] });
    expect(ruleset.last_updated).toBe('2027-01-01T00:01:30.000000Z');
  });

  test.each([[{}], [{ now: 'tomorrow' }], [{ advance_seconds: 'x' }], [[]], [undefined]])(
    'refuses %j',
    async (wish) => {
      const bench = await startBench();
      expect((await bench.control('PUT', '/clock', wish)).status).toBe(400);
    },
  );

  test.each([
    [{ advance_seconds: 1e300 }],
    [{ advance_seconds: -1e11 }],
    [{ advance_seconds: 253_402_300_800 }],
    [{ now: '+010000-01-01T00:00:00Z' }],
    [{ now: '-000001-12-31T23:59:59Z' }],
  ])('refuses %j, which is outside the years 0 to 9999', async (wish) => {
    const bench = await startBench();
    const response = await bench.control('PUT', '/clock', wish);
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'the clock can be set to the years 0 to 9999' },
    ]);
    expect(await (await bench.control('GET', '/clock')).json()).toEqual({ now: '2026-03-04T05:06:07.000Z' });
  });

  test('answers with an error when an injected clock cannot be set', async () => {
    const bench = await startBench({ clock: { now: () => 0 } });
    const response = await bench.control('PUT', '/clock', { now: '2027-01-01T00:00:00Z' });
    expect(await response.json()).toEqual({ error: 'this clock cannot be set' });
  });
});

test('an unknown control endpoint is 404 and asks for no token', async () => {
  const bench = await startBench();
  expect((await bench.control('GET', '/nothing')).status).toBe(404);
});

test('two writes at the same clock time get different last_updated times', async () => {
  const bench = await startBench();
  const first = await bench.ok('PUT', entryPoint(api, CUSTOM), { rules: [] });
  const second = await bench.ok('PUT', entryPoint(api, CUSTOM), { rules: [] });
  expect([first.last_updated, second.last_updated]).toEqual([
    '2026-03-04T05:06:07.000000Z',
    '2026-03-04T05:06:07.000001Z',
  ]);
});
