import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { serviceError } from './caught.ts';
import type { Handler } from './loopback.ts';
import { failure, sendJson, startLoopback, success } from './loopback.ts';
import { openReader, openWriter } from './open.ts';

const START = Date.UTC(2026, 0, 1);

/** Fails the first `times` requests with a status, then succeeds. */
const failing =
  (times: number, status: number): Handler =>
  (_seen, response, index) => {
    if (index < times) {
      sendJson(response, status, failure({ message: 'not now' }));
    } else {
      sendJson(response, 200, success('fine'));
    }
  };

describe('a read', () => {
  test.each([429, 500, 502, 503, 504, 520, 530])('is sent again after %i', async (status) => {
    const server = await startLoopback(failing(3, status));
    const { client } = openReader(server.baseUrl);
    const answer = await client.get('/a');
    expect(answer).toMatchObject({ result: 'fine', request: { attempts: 4 } });
    expect(server.seen).toHaveLength(4);
  });

  test('waits longer before each attempt, for a time that varies at random', async () => {
    const server = await startLoopback(failing(3, 503));
    const steady = openReader(server.baseUrl, { random: () => 1 });
    await steady.client.get('/a');
    expect(steady.clock.slept).toEqual([1000, 2000, 4000]);

    const again = await startLoopback(failing(3, 503));
    const spread = openReader(again.baseUrl, { random: () => 0 });
    await spread.client.get('/a');
    expect(spread.clock.slept).toEqual([500, 1000, 2000]);
  });

  test('waits out one limit after another if a 429 does not say which one was exceeded', async () => {
    const server = await startLoopback(failing(3, 429));
    const { client, clock } = openReader(server.baseUrl, { random: () => 0 });
    await client.get('/a');
    expect(clock.slept).toEqual([1000, 20_000, 300_000]);
  });

  test('honours Retry-After of a 503', async () => {
    const server = await startLoopback((_seen, response, index) => {
      sendJson(response, index === 0 ? 503 : 200, success(1), index === 0 ? { 'retry-after': '17' } : {});
    });
    const { client, clock } = openReader(server.baseUrl);
    await client.get('/a');
    expect(clock.now() - START).toBe(17_000);
  });

  test.each([429, 503])('fails at once after %i if Retry-After is too long, and says so', async (status) => {
    const server = await startLoopback((_seen, response) => {
      sendJson(response, status, failure({ message: 'later' }), { 'retry-after': '3600' });
    });
    const { client, clock } = openReader(server.baseUrl);
    const error = await serviceError(client.get('/a'));
    expect(error).toMatchObject({ status, attempts: 1 });
    expect(error.hint).toBe(
      'the service asks to wait 3600 s, which is longer than a run waits: run it again after that',
    );
    expect(clock.slept).toEqual([]);
  });

  test('is sent again if the connection breaks', async () => {
    const server = await startLoopback((_seen, response, index) => {
      if (index === 0) {
        response.destroy();
      } else {
        sendJson(response, 200, success('fine'));
      }
    });
    const { client, events } = openReader(server.baseUrl);
    expect((await client.get('/a')).request.attempts).toBe(2);
    expect(events.map(({ kind, attempt }) => [kind, attempt])).toEqual([
      ['started', 1],
      ['broken', 1],
      ['retrying', 1],
      ['started', 2],
      ['answered', 2],
    ]);
  });

  test('reports its start and its answer as events that hold nothing secret', async () => {
    const server = await startLoopback((_seen, response) => {
      sendJson(response, 200, success(null), { 'cf-ray': '8f00-FRA' });
    });
    const { client, events } = openReader(server.baseUrl);
    await client.get('/zones', { query: { page: 2 } });
    const about = { id: 1, method: 'GET', path: '/zones?page=2', attempt: 1 };
    expect(events).toEqual([
      { kind: 'started', ...about },
      {
        kind: 'answered',
        ...about,
        status: 200,
        rayId: '8f00-FRA',
        ms: 0,
        bytes: 56,
        date: expect.any(String),
      },
    ]);
  });
});

describe('a write', () => {
  test('is sent again after 429, because the service has not processed it', async () => {
    const server = await startLoopback(failing(2, 429));
    const { client } = openWriter(server.baseUrl);
    const answer = await client.send({ method: 'POST', path: '/a', body: { n: 1 } });
    expect(answer.request.attempts).toBe(3);
    expect(server.seen.map(({ body }) => body)).toEqual(['{"n":1}', '{"n":1}', '{"n":1}']);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    'with %s is sent only once if its effect is unknown',
    async (method) => {
      const server = await startLoopback(failing(1, 503));
      const { client } = openWriter(server.baseUrl);
      expect(await serviceError(client.send({ method, path: '/a' }))).toMatchObject({
        effect: 'unknown',
        attempts: 1,
      });
      expect(server.seen).toHaveLength(1);
    },
  );

  test.each([429, 500])('of a WAF migration is sent only once, even after %i', async (status) => {
    const server = await startLoopback(failing(1, status));
    const { client, clock } = openWriter(server.baseUrl);
    const write = client.send({
      method: 'PUT',
      path: '/a',
      query: { waf_migration: 'validation' },
      body: {},
    });
    expect(await serviceError(write)).toMatchObject({
      status,
      attempts: 1,
      effect: status === 429 ? 'none' : 'unknown',
    });
    expect(server.seen).toHaveLength(1);
    expect(clock.slept).toEqual([]);
  });
});

describe('the abort signal', () => {
  test('ends the wait before another attempt; a write that was answered with 429 had no effect', async () => {
    const control = new AbortController();
    const server = await startLoopback(failing(9, 429));
    const { client } = openWriter(server.baseUrl, {
      signal: control.signal,
      onEvent: ({ kind }) => {
        if (kind === 'retrying') {
          control.abort();
        }
      },
    });
    const error = await serviceError(client.send({ method: 'POST', path: '/a', body: {} }));
    expect(error).toMatchObject({ code: 'api/aborted', effect: 'none', status: null });
    expect(server.seen).toHaveLength(1);
  });

  test('ends a write under way, whose effect is then unknown, and keeps the next write from being sent', async () => {
    const control = new AbortController();
    const server = await startLoopback(() => control.abort());
    const { client } = openWriter(server.baseUrl, { signal: control.signal });
    expect(await serviceError(client.send({ method: 'POST', path: '/a', body: {} }))).toMatchObject({
      code: 'api/aborted',
      effect: 'unknown',
      attempts: 1,
    });
    expect(await serviceError(client.send({ method: 'POST', path: '/a', body: {} }))).toMatchObject({
      code: 'api/aborted',
      effect: 'none',
    });
    expect(server.seen).toHaveLength(1);
  });

  test('can be shared by many requests at the same time without a warning of Node', async () => {
    const warnings: string[] = [];
    const listen = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', listen);
    const held: ServerResponse[] = [];
    const server = await startLoopback((_seen, response) => {
      held.push(response);
      if (held.length === 30) {
        held.forEach((one) => sendJson(one, 200, success(null)));
      }
    });
    const { client } = openReader(server.baseUrl, { signal: new AbortController().signal, concurrency: 30 });
    await Promise.all(Array.from({ length: 30 }, () => client.get('/a')));
    process.off('warning', listen);
    expect(server.seen).toHaveLength(30);
    expect(warnings).toEqual([]);
  });
});
