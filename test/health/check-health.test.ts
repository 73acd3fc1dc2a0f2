import { describe, expect, onTestFinished, test } from 'vitest';
import type { AnalyticsClient } from '../../src/api/index.ts';
import { createBudget, openReadClient, openWriteClient } from '../../src/api/index.ts';
import { scopeId, startEmulator } from '../../src/emulator/index.ts';
import { checkHealth, healthDue } from '../../src/health/index.ts';
import type { WatchedZone, WaveToJudge } from '../../src/health/index.ts';
import type { HealthGate, HealthLimit } from '../../src/model/index.ts';
import { startLoopback } from '../api/loopback.ts';
import { createFakeClock } from '../fake-clock.ts';

const START = Date.UTC(2026, 0, 5, 12);
const MINUTE = 60_000;

const GATE: HealthGate = { errors: { max: 1, window: 600 }, minRequests: 100, delay: 300, probes: [] };

const REACH = { reach: { zones: [], allowed: [] } };

/** The service with a dozen zones and visitors in all of them; the clocks of both sides go together. */
async function openFleet(faults: readonly object[] = [], requestsPerMinute = 60) {
  const clock = createFakeClock(START);
  const names = Array.from({ length: 12 }, (_, index) => `z${String(index).padStart(2, '0')}.example`);
  const emulator = await startEmulator({
    clock: { now: () => clock.now() },
    budget: 'off',
    seed: {
      version: 1,
      token: 'all',
      tokens: { rules: [{ permissions: ['Zone WAF Write'], resources: ['*'] }] },
      accounts: [{ name: 'Shop', plan: 'pro' }],
      zones: names.map((name) => ({ name, account: 'Shop', plan: 'pro' })),
      traffic: { requests_per_minute: requestsPerMinute, delay_seconds: 300, faults },
    },
  });
  onTestFinished(() => emulator.close());
  const options = { baseUrl: emulator.baseUrl, budget: createBudget({ clock }), clock };
  const reader = (token: string): AnalyticsClient => {
    const client = openReadClient({ ...options, credentials: { kind: 'token', token } });
    onTestFinished(() => client.close());
    return client;
  };
  const client = reader('all');
  const zones = names.map((name): WatchedZone => ({ name, id: scopeId('zone', name), client }));
  const writer = openWriteClient({ ...options, credentials: { kind: 'token', token: 'all' } });
  onTestFinished(() => writer.close());
  return {
    clock,
    zones,
    reader,
    /** Makes a rule live in zones, and returns the wave. */
    wave: async (written: readonly WatchedZone[], rule: object): Promise<WaveToJudge> => {
      const from = clock.now();
      for (const { id } of written) {
        const path = `/zones/${id}/rulesets/phases/http_request_firewall_custom/entrypoint`;
        await writer.send({ method: 'PUT', path, body: { rules: [rule] } });
      }
      const others = zones.filter((zone) => !written.includes(zone));
      return { zones: written, others, wrote: { from, to: clock.now() } };
    },
    asked: async (): Promise<number> => {
      const answer = await fetch(`${emulator.controlUrl}/requests`);
      const requests = (await answer.json()) as readonly { readonly path: string }[];
      return requests.filter(({ path }) => path.endsWith('/graphql')).length;
    },
  };
}

const HARMLESS = { ref: 'harmless', action: 'block', expression: 'http.host eq "nobody.example"' };

describe('a wave', () => {
  test.each<[string, object, Partial<Record<'errors' | 'blocked', HealthLimit>>, object[], string]>([
    ['is well', HARMLESS, { errors: { max: 1, aboveBefore: 1, aboveOthers: 1, window: 600 } }, [], 'holds'],
    [
      'has errors',
      HARMLESS,
      { errors: { aboveBefore: 1, window: 600 } },
      [{ rule: 'harmless', effect: 'errors', percent: 5 }],
      'fails',
    ],
    [
      'has errors in one zone only',
      HARMLESS,
      { errors: { aboveOthers: 20, window: 600 } },
      [{ rule: 'harmless', effect: 'errors', zone: 'z01.example', percent: 30 }],
      'fails',
    ],
    [
      'blocks by a fault',
      HARMLESS,
      { blocked: { aboveOthers: 1, window: 600 } },
      [{ rule: 'harmless', effect: 'blocks', percent: 5 }],
      'fails',
    ],
    [
      'blocks',
      { ref: 'all', action: 'block', expression: 'http.request.uri.path eq "/login"' },
      { errors: { max: 1, window: 600 }, blocked: { aboveBefore: 1, window: 600 } },
      [],
      'fails',
    ],
    [
      'challenges by scripts',
      { ref: 'all', action: 'js_challenge', expression: 'true' },
      { blocked: { max: 50, window: 600 } },
      [],
      'fails',
    ],
  ])('%s', async (_, rule, limits, faults, verdict) => {
    const { clock, zones, wave } = await openFleet(faults);
    const written = await wave(zones.slice(0, 3), rule);
    const result = await checkHealth({ ...limits, minRequests: 100, delay: 300, probes: [] }, written, {
      clock,
      ...REACH,
    });
    expect(result.verdict).toBe(verdict);
    expect(clock.now()).toBe(written.wrote.to + 20 * MINUTE);
  });

  test('is told with all numbers, each window where it belongs', async () => {
    const { clock, zones, wave } = await openFleet([{ rule: 'harmless', effect: 'errors', percent: 5 }]);
    const written = await wave(zones.slice(0, 2), HARMLESS);
    const limit = { aboveBefore: 1, aboveOthers: 1, window: 600 };
    const result = await checkHealth({ ...GATE, errors: limit }, written, { clock, ...REACH });
    expect(result).toMatchObject({
      verdict: 'fails',
      checked_at: '2026-01-05T12:20:00Z',
      measures: [
        {
          why: 'the share of 5xx answers is 5%, it was 0% before, and may rise by 1 percentage point at most',
          wave: {
            before: { from: '2026-01-05T11:50:00Z', to: '2026-01-05T12:00:00Z', requests: 1200, counted: 0 },
            after: { from: '2026-01-05T12:05:00Z', to: '2026-01-05T12:15:00Z', requests: 1200, counted: 60 },
          },
          others: { requests: 6000, counted: 0, percent: 0 },
          others_note: '10 of 10 zones without the change',
          zones: [{ zone: 'z00.example' }, { zone: 'z01.example', windows: { after: { counted: 30 } } }],
        },
      ],
    });
  });

  test('with few visitors has no data', async () => {
    const { clock, zones, wave } = await openFleet([], 1);
    const written = await wave(zones.slice(0, 2), HARMLESS);
    expect(await checkHealth(GATE, written, { clock, ...REACH })).toMatchObject({
      verdict: 'no_data',
      measures: [{ why: '80 requests in the window after the wave, and 100 are needed' }],
    });
    expect(clock.now()).toBe(written.wrote.to + 50 * MINUTE);
  });

  test('with few visitors is looked at again until there were enough', async () => {
    const { clock, zones, wave } = await openFleet([], 2);
    const written = await wave(zones.slice(0, 2), HARMLESS);
    const told: string[] = [];
    const onNoData = ({ why, again, until }: Readonly<Record<'again' | 'until', number>> & { why: string }) =>
      told.push(`${why.slice(0, 11)}, ${(again - START) / MINUTE}, ${(until - START) / MINUTE}`);
    expect(await checkHealth(GATE, written, { clock, ...REACH, onNoData })).toMatchObject({
      verdict: 'holds',
      measures: [
        { wave: { after: { from: '2026-01-05T12:05:00Z', to: '2026-01-05T12:35:00Z', requests: 120 } } },
      ],
    });
    expect(told).toEqual(['40 requests, 30, 50', '80 requests, 40, 50']);
  });

  test('with few visitors before it is not waited for', async () => {
    const { clock, zones, wave } = await openFleet([], 1);
    const written = await wave(zones.slice(0, 2), HARMLESS);
    const gate = { ...GATE, errors: { aboveBefore: 1, window: 600 } };
    const result = await checkHealth(gate, written, { clock, ...REACH });
    expect([result.verdict, clock.now()]).toEqual(['no_data', written.wrote.to + 20 * MINUTE]);
  });

  test('of a dozen zones is asked in two queries for each window and the limits', async () => {
    const { clock, zones, wave, asked } = await openFleet();
    const written = await wave(zones, HARMLESS);
    const limit = { max: 1, aboveBefore: 1, window: 600 };
    const result = await checkHealth({ ...GATE, errors: limit, blocked: limit }, written, {
      clock,
      ...REACH,
    });
    // For requests and for events: limits, before, after. Requests are not asked for again to know the share of what was blocked.
    expect(await asked()).toBe(2 * (3 + 3));
    expect(result.verdict).toBe('holds');
  });

  test('of which a zone cannot be asked has no data, though the others were asked', async () => {
    const { clock, zones, reader, wave } = await openFleet();
    const [first, second] = zones;
    const written = await wave(
      [first, second].flatMap((zone) => zone ?? []),
      HARMLESS,
    );
    const unknown = { name: 'gone.example', id: 'f'.repeat(32), client: zones[0]?.client ?? reader('all') };
    const result = await checkHealth(
      GATE,
      { ...written, zones: [...written.zones, unknown] },
      { clock, ...REACH },
    );
    expect(result).toMatchObject({
      verdict: 'no_data',
      measures: [
        {
          why: expect.stringContaining('1 zone could not be asked: gone.example') as string,
          zones: [{ verdict: 'holds' }, { verdict: 'holds' }, { windows: null }],
        },
      ],
    });
  });

  test('of which the credentials may not ask has no data, and is not asked before its time', async () => {
    const { clock, zones, reader } = await openFleet();
    const wrote = { from: START - 10_000, to: START - 500 };
    expect(healthDue(GATE, wrote)).toBe(START + 20 * MINUTE);
    const wave = {
      zones: zones.slice(0, 1).map((zone) => ({ ...zone, client: reader('rules') })),
      others: [],
      wrote,
    };
    const result = await checkHealth(GATE, wave, { clock, ...REACH });
    expect(clock.slept).toEqual([20 * MINUTE]);
    expect(result).toMatchObject({ verdict: 'no_data', measures: [{ measure: 'errors', wave: null }] });
  });

  test('longer ago than the service remembers has no data', async () => {
    const { clock, zones, wave } = await openFleet();
    const written = await wave(zones.slice(0, 1), HARMLESS);
    clock.advance(40 * 24 * 60 * MINUTE);
    expect(await checkHealth(GATE, written, { clock, ...REACH })).toMatchObject({
      verdict: 'no_data',
      measures: [{ why: expect.stringContaining('keeps analytics for 31 days only') as string }],
    });
  });

  test('that reaches no zone of the files is judged by probes alone, and without any is not known to be well', async () => {
    const { clock, wave, asked } = await openFleet();
    const written = await wave([], HARMLESS);
    const { baseUrl } = await startLoopback((_seen, response) => response.end());
    const { port } = new URL(baseUrl);
    const reach = { zones: [], allowed: [{ host: '127.0.0.1', port: Number(port) }] };
    const probes = [{ url: `http://127.0.0.1:${port}/`, expect: [200] }];
    expect(await checkHealth({ ...GATE, probes }, written, { clock, reach })).toMatchObject({
      verdict: 'holds',
      measures: [{ measure: 'probe' }],
    });
    expect(await checkHealth(GATE, written, { clock, ...REACH })).toMatchObject({
      verdict: 'no_data',
      measures: [{ why: expect.stringContaining('add a probe') as string }],
    });
    expect(await asked()).toBe(0);
  });

  test('whose probe fails is not asked about any further', async () => {
    const { clock, zones, wave, asked } = await openFleet();
    const written = await wave(zones.slice(0, 1), HARMLESS);
    const resolve = (): Promise<readonly string[]> => Promise.reject(new Error('no such name'));
    const result = await checkHealth(
      { ...GATE, probes: [{ url: 'https://z00.example/', expect: [200] }] },
      written,
      { clock, reach: { zones: ['z00.example'], allowed: [] }, resolve },
    );
    expect(result).toMatchObject({ verdict: 'fails', measures: [{ measure: 'probe', verdict: 'fails' }] });
    expect(await asked()).toBe(0);
  });
});

test('queries wait for the limit of the analytics, which is lower than that of all requests', async () => {
  const { clock, zones, reader } = await openFleet();
  const client = reader('all');
  const ids = zones.slice(0, 1).map(({ id }) => id);
  for (let query = 0; query < 301; query += 1) {
    await client.ask(
      'query Q($ids: [string!]) { viewer { zones(filter: { zoneTag_in: $ids }) { zoneTag } } }',
      {
        ids,
      },
    );
  }
  expect(clock.slept.filter((ms) => ms > MINUTE)).toHaveLength(1);
});
