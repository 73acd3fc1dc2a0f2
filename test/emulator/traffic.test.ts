import { expect, onTestFinished, test } from 'vitest';
import { fakeClock, startEmulator } from '../../src/emulator/index.ts';
import type { EmulatorOptions } from '../../src/emulator/index.ts';

const ZONE = '11111111111111111111111111111111';
const START = Date.UTC(2026, 5, 1, 12);
const MINUTE = 60_000;

/** A service whose visitors come to one zone, 600 in a minute, and what a client can do there. */
async function openService(more: object = {}, options: EmulatorOptions = {}) {
  const clock = fakeClock(START);
  const emulator = await startEmulator({
    clock,
    budget: 'off',
    seed: {
      version: 1,
      accounts: [{ name: 'Shop', plan: 'enterprise', features: ['account_rulesets'] }],
      zones: [{ id: ZONE, name: 'shop.example', account: 'Shop', plan: 'enterprise' }],
      traffic: { requests_per_minute: 600, seed: 7, ...more },
    },
    ...options,
  });
  onTestFinished(() => emulator.close());
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(emulator.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${emulator.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json: unknown = await answer.json();
    return json;
  };
  const entry = `/zones/${ZONE}/rulesets/phases/http_request_firewall_custom/entrypoint`;
  const control = async (method: string, path: string, body?: unknown) =>
    fetch(emulator.controlUrl + path, {
      method,
      redirect: 'manual',
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    clock,
    control,
    write: (...rules: readonly object[]) => send('PUT', entry, { rules }),
    /** The counts of a data set from one minute to another, by the value of a dimension. */
    counts: async (dataset: 'requests' | 'events', from: number, to: number) => {
      const [node, dimension] =
        dataset === 'requests'
          ? ['httpRequestsAdaptiveGroups', 'edgeResponseStatus']
          : ['firewallEventsAdaptiveGroups', 'action'];
      const times = [from, to].map((minute) => JSON.stringify(new Date(START + minute * MINUTE)));
      const query = `{ viewer { zones(filter: { zoneTag: "${ZONE}" }) {
        ${node}(filter: { datetime_geq: ${times[0]}, datetime_lt: ${times[1]} }, limit: 100) { count dimensions { ${dimension} } }
      } } }`;
      const answer = await send('POST', '/graphql', { query });
      return countsIn(answer, dimension ?? '');
    },
  };
}

interface Group {
  readonly count: number;
  readonly dimensions: Readonly<Record<string, unknown>>;
}

function countsIn(answer: unknown, dimension: string): Readonly<Record<string, number>> {
  const groups = Object.values(
    (answer as { data: { viewer: { zones: readonly [Record<string, readonly Group[]>] } } }).data.viewer
      .zones[0],
  ).flat();
  return Object.fromEntries(groups.map(({ count, dimensions }) => [String(dimensions[dimension]), count]));
}

const BLOCK_SCANNERS = {
  ref: 'scanners',
  action: 'block',
  expression: '(http.request.uri.path in {"/.env" "/wp-login.php" "/xmlrpc.php" "/admin"})',
};

test('visitors are counted by what the live rules did to them, at the time at which they came', async () => {
  const { clock, counts, write } = await openService();
  expect(await counts('requests', -10, 0)).toEqual({ 200: 6000 });
  clock.advance(10 * MINUTE);
  await write(BLOCK_SCANNERS, {
    action: 'managed_challenge',
    expression: 'http.request.uri.path eq "/login"',
  });
  clock.advance(10 * MINUTE);
  expect(await counts('requests', 0, 10)).toEqual({ 200: 6000 });
  expect(await counts('events', 0, 10)).toEqual({});
  const after = await counts('requests', 10, 20);
  const events = await counts('events', 10, 20);
  expect((after['200'] ?? 0) + (after['403'] ?? 0)).toBeCloseTo(6000, -1);
  expect(events['block']).toBeGreaterThan(100);
  expect(events['managed_challenge']).toBeGreaterThan(100);
  expect((events['block'] ?? 0) + (events['managed_challenge'] ?? 0)).toBe(after['403']);
});

test('the same seed has the same requests, another one has others', async () => {
  const blocked = async (seed: number) => {
    const { clock, counts, write } = await openService({ seed });
    await write(BLOCK_SCANNERS);
    clock.advance(10 * MINUTE);
    return counts('requests', 0, 10);
  };
  expect(await blocked(3)).toEqual(await blocked(3));
  expect(await blocked(3)).not.toEqual(await blocked(4));
});

test('the analytics tell of requests once they have been taken in', async () => {
  const { clock, counts } = await openService({ delay_seconds: 300 });
  clock.advance(10 * MINUTE);
  expect(await counts('requests', 0, 10)).toEqual({ 200: 3000 });
  clock.advance(5 * MINUTE);
  expect(await counts('requests', 0, 10)).toEqual({ 200: 6000 });
});

test.each([
  [{ effect: 'errors', percent: 20 }, { 200: 4800, 503: 1200 }, {}],
  [{ effect: 'errors', status: 520 }, { 520: 6000 }, {}],
  [{ effect: 'blocks', percent: 10 }, { 200: 5400, 403: 600 }, { block: 600 }],
  [{ effect: 'errors', zone: 'other.example' }, { 200: 6000 }, {}],
])('a fault %j begins when its rule is live, and ends when it is not', async (fault, requests, events) => {
  const { clock, counts, write } = await openService({ faults: [{ rule: 'harmful', ...fault }] });
  const harmful = { ref: 'harmful', action: 'log', expression: 'http.host eq "nobody.example"' };
  await write(harmful);
  clock.advance(10 * MINUTE);
  await write({ ...harmful, enabled: false });
  clock.advance(10 * MINUTE);
  expect(await counts('requests', -10, 0)).toEqual({ 200: 6000 });
  expect(await counts('requests', 0, 10)).toEqual(requests);
  expect(await counts('events', 0, 10)).toEqual(events);
  expect(await counts('requests', 10, 20)).toEqual({ 200: 6000 });
});

test('an account’s rules, skips, lists and custom rulesets are followed', async () => {
  const { clock, counts } = await openService(
    {},
    {
      seed: {
        version: 1,
        accounts: [
          {
            name: 'Shop',
            plan: 'enterprise',
            features: ['account_rulesets'],
            lists: [
              {
                name: 'everybody',
                kind: 'ip',
                items: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'].map((ip) => ({ ip })),
              },
            ],
            rulesets: [
              {
                kind: 'custom',
                name: 'blocking',
                phase: 'http_request_firewall_custom',
                rules: [
                  { action: 'block', expression: 'ip.src in $everybody and http.request.method eq "PUT"' },
                ],
              },
              {
                kind: 'root',
                phase: 'http_request_firewall_custom',
                rules: [
                  { action: 'execute', action_parameters: { id: 'custom:blocking' }, expression: 'true' },
                ],
              },
            ],
          },
        ],
        zones: [
          {
            id: ZONE,
            name: 'shop.example',
            account: 'Shop',
            plan: 'enterprise',
            rulesets: [
              {
                kind: 'zone',
                phase: 'http_request_firewall_custom',
                rules: [
                  { action: 'skip', action_parameters: { ruleset: 'current' }, expression: 'true' },
                  { action: 'block', expression: 'true' },
                ],
              },
            ],
          },
        ],
        traffic: { requests_per_minute: 600 },
      },
    },
  );
  clock.advance(10 * MINUTE);
  const requests = await counts('requests', 0, 10);
  const events = await counts('events', 0, 10);
  expect(Object.keys(requests)).toEqual(['200', '403']);
  expect(requests['403']).toBeLessThan(1000);
  expect(events).toEqual({ skip: requests['200'], block: requests['403'] });
});

test('a request to the edge is answered by the live rules', async () => {
  const { control, write } = await openService();
  await write(BLOCK_SCANNERS, {
    action: 'block',
    expression: 'http.user_agent contains "bad"',
    action_parameters: { response: { status_code: 429, content: 'no', content_type: 'text/plain' } },
  });
  const status = async (path: string) => (await control('GET', `/edge/${path}`)).status;
  expect(await status('shop.example')).toBe(200);
  expect(await status('www.shop.example/products/1?a=b')).toBe(200);
  expect(await status('shop.example/.env')).toBe(403);
  expect(await status('other.example/')).toBe(404);
  await control('PUT', '/traffic', {
    requests_per_minute: 1,
    faults: [{ rule: 'scanners', effect: 'errors', percent: 50 }],
  });
  const seen = new Set([
    await status('shop.example'),
    await status('shop.example'),
    await status('shop.example'),
  ]);
  expect(seen).toEqual(new Set([200, 503]));
});

test('what visitors do can be changed while the service runs; what is wrong is said', async () => {
  const { clock, control, counts } = await openService();
  expect(await (await control('GET', '/traffic')).json()).toMatchObject({
    requests_per_minute: 600,
    seed: 7,
  });
  clock.advance(10 * MINUTE);
  await control('PUT', '/traffic', { requests_per_minute: 60 });
  clock.advance(10 * MINUTE);
  await control('DELETE', '/traffic');
  clock.advance(10 * MINUTE);
  expect(await counts('requests', 0, 10)).toEqual({ 200: 6000 });
  expect(await counts('requests', 10, 20)).toEqual({ 200: 600 });
  expect(await counts('requests', 20, 30)).toEqual({});
  const wrong = await control('PUT', '/traffic', {
    requests_per_minute: 60,
    faults: [{ rule: 'a', effect: 'c' }],
  });
  expect(wrong.status).toBe(400);
  expect(await wrong.json()).toEqual({ error: expect.stringContaining('errors, blocks') as string });
});
