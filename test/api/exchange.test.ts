import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Pool } from 'undici';
import type { StopExchange } from '../../src/api/transport.ts';
import { exchange } from '../../src/api/transport.ts';
import { serviceError } from './caught.ts';
import { startLoopback } from './loopback.ts';
import { openReader, openWriter } from './open.ts';

/** Starts a server that accepts connections and never answers, so that no TLS handshake completes. */
async function startSilent(
  onConnection: () => void,
): Promise<{ readonly baseUrl: string; readonly hangUp: () => void }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    onConnection();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const hangUp = (): void => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
  };
  onTestFinished(hangUp);
  return { baseUrl: `https://127.0.0.1:${port}`, hangUp };
}

describe('a write before the TLS connection is established', () => {
  // A WAF migration is never sent again, so there is one attempt.
  const write = { method: 'POST', path: '/a', query: { waf_migration: '1' }, body: {} } as const;

  test('has no effect if it times out', async () => {
    const { baseUrl, hangUp } = await startSilent(() => undefined);
    const { client } = openWriter(baseUrl, { timeoutMs: 50 });
    const error = await serviceError(client.send(write));
    expect(error).toMatchObject({ code: 'api/timeout', effect: 'none', attempts: 1 });
    hangUp();
  });

  test('has no effect if it is aborted', async () => {
    const control = new AbortController();
    const { baseUrl, hangUp } = await startSilent(() => control.abort());
    const { client } = openWriter(baseUrl, { signal: control.signal });
    const error = await serviceError(client.send(write));
    expect(error).toMatchObject({ code: 'api/aborted', effect: 'none', attempts: 1 });
    hangUp();
  });
});

test('an exchange that ends removes only itself from the exchanges that can be stopped', async () => {
  const server = await startLoopback(() => undefined);
  const pool = new Pool(new URL(server.baseUrl).origin);
  onTestFinished(() => pool.destroy());
  const running: StopExchange[] = [];
  const begin = (timeoutMs: number) => exchange(pool, { method: 'GET', path: '/a' }, { timeoutMs, running });
  const late = begin(20);
  const other = begin(60_000);
  expect(await late).toMatchObject({ reason: 'timeout' });
  expect(running).toHaveLength(1);
  running.forEach((stop) => stop());
  expect(await other).toMatchObject({ reason: 'aborted' });
  expect(running).toEqual([]);
});

describe('an answer', () => {
  test('may start with a byte order mark, and arrive in pieces that end within a character', async () => {
    const bytes = Buffer.from('\ufeff{"success":true,"errors":[],"messages":[],"result":"größer 💶"}');
    const server = await startLoopback((_seen, response) => {
      const [head, ...rest] = Array.from(bytes, (byte) => Buffer.from([byte]));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(head);
      const more = (): void => {
        const next = rest.shift();
        if (next === undefined) {
          response.end();
        } else {
          response.write(next, () => setImmediate(more));
        }
      };
      more();
    });
    const { client } = openReader(server.baseUrl);
    expect(await client.get('/a')).toMatchObject({ result: 'größer 💶' });
  });

  test('may follow interim answers (102, 103)', async () => {
    const server = await startLoopback((_seen, response) => {
      response.writeProcessing();
      response.writeEarlyHints({ link: '</a>; rel=preload' }, () => {
        response.writeHead(200, { 'cf-ray': '8f00-FRA' });
        response.end('{"success":true,"errors":[],"messages":[],"result":1}');
      });
    });
    const { client } = openReader(server.baseUrl);
    expect(await client.get('/a')).toMatchObject({ status: 200, result: 1, request: { rayId: '8f00-FRA' } });
  });
});
