import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBudget } from '../../src/api/budget.ts';
import { createFakeClock } from '../fake-clock.ts';
import { propertyRuns } from '../property-runs.ts';
import { failure, sendJson, startLoopback, success } from './loopback.ts';
import { openReader, openWriter } from './open.ts';

const START = Date.UTC(2026, 0, 1);

describe('the request budget', () => {
  test('lets 1,200 requests through at once, and the next 1,200 five minutes later', async () => {
    const clock = createFakeClock();
    const budget = createBudget({ clock, limitPerSecond: Infinity, marginMs: 0 });
    const waits: [string, number][] = [];
    const times: number[] = [];
    await Promise.all(
      Array.from({ length: 2500 }, async () => {
        await budget.take({ onWait: (reason, ms) => waits.push([reason, ms]) });
        times.push(clock.now() - START);
      }),
    );
    expect(times.filter((time) => time === 0)).toHaveLength(1200);
    expect(times.filter((time) => time === 300_000)).toHaveLength(1200);
    expect(times.filter((time) => time === 600_000)).toHaveLength(100);
    expect(waits).toEqual([
      ['budget', 300_000],
      ['budget', 300_000],
    ]);
  });

  test('also keeps to 200 requests a second, with a margin', async () => {
    const clock = createFakeClock();
    const budget = createBudget({ clock });
    await Promise.all(Array.from({ length: 401 }, () => budget.take()));
    expect(clock.now() - START).toBe(2 * 1250);
  });

  test('applies its share to the limit of five minutes and to the limit of a second', async () => {
    const clock = createFakeClock();
    const budget = createBudget({ clock, share: 0.25, marginMs: 0 });
    expect(budget.limit).toBe(300);
    await Promise.all(Array.from({ length: 301 }, () => budget.take()));
    expect(clock.now() - START).toBe(300_000);
    const second = createFakeClock();
    const shared = createBudget({ clock: second, share: 0.25, marginMs: 0 });
    await Promise.all(Array.from({ length: 101 }, () => shared.take()));
    expect(second.now() - START).toBe(2000);
  });

  test('lets everything through at once with an infinite share', async () => {
    const clock = createFakeClock();
    const budget = createBudget({ clock, share: Infinity });
    await Promise.all(Array.from({ length: 2000 }, () => budget.take()));
    expect(clock.now()).toBe(START);
    expect([budget.limit, budget.waitFor(5000)]).toEqual([Infinity, 0]);
  });

  test('halves its limit after refusals, and restores it after two windows without one', async () => {
    const clock = createFakeClock();
    const budget = createBudget({ clock, limit: 8, windowMs: 1000, limitPerSecond: Infinity, marginMs: 0 });
    const times: number[] = [];
    const take = async (count: number): Promise<void> => {
      for (let turn = 0; turn < count; turn += 1) {
        await budget.take();
        times.push(clock.now() - START);
      }
    };
    await take(8);
    budget.refused();
    budget.refused();
    clock.advance(1000);
    budget.refused();
    await take(8);
    expect(times).toEqual([
      ...Array.from({ length: 8 }, () => 0),
      1000,
      1000,
      2000,
      2000,
      2000,
      2000,
      3000,
      3000,
    ]);
  });

  test('never starts more requests in a window than its limit, and starts them in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(
          fc.record({
            gap: fc.integer({ min: 0, max: 60 }),
            pause: fc.option(fc.integer({ min: 0, max: 90 })),
          }),
          {
            minLength: 1,
            maxLength: 40,
          },
        ),
        async (limit, requests) => {
          const clock = createFakeClock(0);
          const budget = createBudget({ clock, limit, windowMs: 100, limitPerSecond: Infinity, marginMs: 0 });
          const times: number[] = [];
          const order: number[] = [];
          const turns = requests.map(async ({ gap, pause }, index) => {
            clock.advance(gap);
            if (pause !== null) {
              budget.pauseUntil(clock.now() + pause);
            }
            await budget.take();
            times.push(clock.now());
            order.push(index);
          });
          await Promise.all(turns);
          expect(order).toEqual(requests.map((_request, index) => index));
          for (const time of times) {
            expect(times.filter((other) => other >= time && other < time + 100).length).toBeLessThanOrEqual(
              limit,
            );
          }
        },
      ),
      { numRuns: propertyRuns() },
    );
  });

  test('holds requests until the end of a pause, which a shorter pause does not change', async () => {
    const clock = createFakeClock();
    const budget = createBudget({ clock });
    budget.pauseUntil(START + 7000);
    budget.pauseUntil(START + 3000);
    const waits: [string, number][] = [];
    await budget.take({ onWait: (reason, ms) => waits.push([reason, ms]) });
    expect(waits).toEqual([['pause', 7000]]);
    expect(clock.now() - START).toBe(7000);
  });

  test('gives the turn of a request that is aborted while it waits to the next one', async () => {
    const clock = createFakeClock();
    const budget = createBudget({ clock, limit: 1, limitPerSecond: Infinity });
    await budget.take();
    const control = new AbortController();
    const first = budget.take({ signal: control.signal });
    const second = budget.take();
    control.abort(new Error('stopped'));
    await expect(first).rejects.toThrow('stopped');
    await second;
    expect(clock.now() - START).toBe(300_250);
  });
});

describe('the wait that a budget foresees', () => {
  test.each([
    ['one window', Infinity, 0],
    ['both windows', 200, 250],
  ])('is close to the real wait and never longer, with %s', async (_title, limitPerSecond, marginMs) => {
    const cases = fc.asyncProperty(
      fc.array(
        fc.record({ pause: fc.integer({ min: 0, max: 90_000 }), taken: fc.integer({ min: 0, max: 400 }) }),
        {
          maxLength: 4,
        },
      ),
      fc.integer({ min: 1, max: 900 }),
      async (past, more) => {
        const clock = createFakeClock();
        const budget = createBudget({ clock, limit: 300, limitPerSecond, marginMs });
        for (const { pause, taken } of past) {
          clock.advance(pause);
          await Promise.all(Array.from({ length: taken }, () => budget.take()));
        }
        const now = clock.now();
        const foreseen = budget.waitFor(more);
        await Promise.all(Array.from({ length: more }, () => budget.take()));
        const waited = clock.now() - now;
        // Two windows delay each other a little, so the forecast may be too short; it is never too long.
        expect(foreseen).toBeLessThanOrEqual(waited);
        expect(waited - foreseen).toBeLessThanOrEqual(limitPerSecond === Infinity ? 0 : 5 * 1250);
      },
    );
    await fc.assert(cases, { numRuns: Math.ceil(propertyRuns() / 10) });
  });

  test('includes a pause, and counts with half the limit after a refusal', () => {
    const clock = createFakeClock();
    const budget = createBudget({ clock, limit: 100, limitPerSecond: Infinity, marginMs: 0 });
    expect(budget.waitFor(0)).toBe(0);
    expect(budget.waitFor(100)).toBe(0);
    expect(budget.waitFor(101)).toBe(300_000);
    budget.refused();
    expect(budget.waitFor(51)).toBe(300_000);
    budget.pauseUntil(clock.now() + 7000);
    expect(budget.waitFor(1)).toBe(7000);
    expect(budget.waitFor(101)).toBe(607_000);
  });
});

describe('the budget of a client', () => {
  test('can be shared by several clients, and waiting for it is reported', async () => {
    const server = await startLoopback((_seen, response) => sendJson(response, 200, success(null)));
    const clock = createFakeClock();
    const budget = createBudget({ clock, limit: 3, windowMs: 1000, marginMs: 0 });
    const one = openReader(server.baseUrl, { clock, budget });
    const two = openReader(server.baseUrl, { clock, budget });
    await Promise.all(
      [one, two].flatMap(({ client }) => [client.get('/a'), client.get('/b'), client.get('/c')]),
    );
    expect(clock.now() - START).toBe(1000);
    expect([...one.events, ...two.events].filter(({ kind }) => kind === 'waiting')).toMatchObject([
      { kind: 'waiting', reason: 'budget', ms: 1000 },
    ]);
  });

  test('pauses all workers for the Retry-After of a 429, and then lets them go on', async () => {
    const server = await startLoopback((_seen, response, index) => {
      if (index === 0) {
        sendJson(response, 429, failure({ code: 10100, message: 'slow down' }), { 'retry-after': '42' });
      } else {
        sendJson(response, 200, success(null));
      }
    });
    const { client, clock, events } = openReader(server.baseUrl, { concurrency: 1 });
    await Promise.all([client.get('/a'), client.get('/b')]);
    expect(clock.now() - START).toBe(42_000);
    expect(server.seen.map(({ url }) => url)).toEqual(['/client/v4/a', '/client/v4/b', '/client/v4/a']);
    expect(events.filter(({ kind }) => kind === 'waiting' || kind === 'retrying')).toMatchObject([
      { kind: 'waiting', path: '/b', reason: 'pause', ms: 42_000 },
      { kind: 'retrying', path: '/a', attempt: 1, reason: '429', ms: 42_000 },
    ]);
  });

  test.each([
    [
      'a date',
      { 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT', date: 'Thu, 01 Jan 2026 00:00:30 GMT' },
      31_000,
    ],
    [
      'the end of the window',
      { 'x-ratelimit-reset': 'Thu, 01 Jan 2026 00:00:09 GMT', date: 'Thu, 01 Jan 2026 00:00:00 GMT' },
      10_000,
    ],
    [
      'an end that is over',
      { 'x-ratelimit-reset': 'Thu, 01 Jan 2026 00:00:09 GMT', date: 'Thu, 01 Jan 2026 00:00:09 GMT' },
      1000,
    ],
    ['no wait at all', {}, 1000],
    ['nonsense', { 'retry-after': 'soon' }, 1000],
    ['no time', { 'retry-after': '0' }, 1000],
  ])('waits after a 429 that names %s', async (_title, headers, ms) => {
    const server = await startLoopback((_seen, response, index) => {
      response.sendDate = false;
      sendJson(response, index === 0 ? 429 : 200, index === 0 ? failure({ message: 'no' }) : success(null), {
        ...(index === 0 ? headers : {}),
      });
    });
    const { client, clock } = openWriter(server.baseUrl);
    await client.send({ method: 'POST', path: '/a', body: {} });
    expect(clock.now() - START).toBe(ms);
    expect(server.seen).toHaveLength(2);
  });

  test('pauses the other requests too after a 429 with Retry-After 0', async () => {
    const server = await startLoopback((_seen, response, index) => {
      sendJson(response, index === 0 ? 429 : 200, success(null), index === 0 ? { 'retry-after': '0' } : {});
    });
    const { client, events } = openReader(server.baseUrl, { concurrency: 1, random: () => 0 });
    await Promise.all([client.get('/a'), client.get('/b')]);
    expect(events.filter(({ kind }) => kind === 'waiting')).toMatchObject([
      { path: '/b', reason: 'pause', ms: 1000 },
    ]);
  });

  test.each([
    ['halves what is let through', 429, '1', { next: 0, many: 300_000 }],
    ['that asks for more than is waited for pauses nobody else', 429, '86400', { next: 0, many: 300_000 }],
    ['leaves it', 500, '1', { next: 0, many: 0 }],
  ])('an answer and the budget: %s (%i, Retry-After %s)', async (_what, status, wait, waits) => {
    const server = await startLoopback((_seen, response, index) => {
      sendJson(
        response,
        index === 0 ? status : 200,
        success(null),
        index === 0 ? { 'retry-after': wait } : {},
      );
    });
    const clock = createFakeClock();
    const budget = createBudget({ clock, limit: 100, limitPerSecond: Infinity, marginMs: 0 });
    const { client } = openReader(server.baseUrl, { clock, budget });
    await client.get('/a').catch(() => undefined);
    expect({ next: budget.waitFor(1), many: budget.waitFor(60) }).toEqual(waits);
  });

  test('reports the reason "slowed" for a wait that is due to a refusal', async () => {
    const server = await startLoopback((_seen, response, index) => {
      sendJson(response, index === 1 ? 429 : 200, success(null), index === 1 ? { 'retry-after': '1' } : {});
    });
    const clock = createFakeClock();
    const budget = createBudget({ clock, limit: 4, limitPerSecond: Infinity, marginMs: 0 });
    const { client, events } = openReader(server.baseUrl, { clock, budget });
    await client.get('/a');
    await client.get('/b');
    expect(events.filter(({ kind }) => kind === 'waiting')).toMatchObject([{ path: '/b', reason: 'slowed' }]);
  });

  test('waits for the next window, before any refusal, if the service says that no requests are left', async () => {
    const server = await startLoopback((_seen, response, index) => {
      response.sendDate = false;
      const left = {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': 'Thu, 01 Jan 2026 00:00:20 GMT',
        date: 'Thu, 01 Jan 2026 00:00:00 GMT',
      };
      sendJson(response, 200, success(null), index === 0 ? left : {});
    });
    const { client, clock } = openReader(server.baseUrl);
    await client.get('/a');
    await client.get('/b');
    // The dates have no fractions of a second: the window may end at 20.9 s, and the answer may have been sent at 0.0 s.
    expect(clock.now() - START).toBe(21_000);
  });
});
