import { expect, test } from 'vitest';
import { proxyFor } from '../../src/network/proxy.ts';
import { id, ZONE } from './builders.ts';
import { serviceError } from './caught.ts';
import { startConnectProxy } from './connect-proxy.ts';
import { sendJson, startLoopback } from './loopback.ts';
import { openReader, openWriter } from './open.ts';
import { deleteRule } from './ruleset-writes.ts';

const BASE = 'http://service.example/client/v4';

function through(url: string, more: Readonly<Record<string, string>> = {}) {
  const proxy = proxyFor(BASE, { HTTP_PROXY: url, ...more });
  return proxy === undefined ? {} : { proxy };
}

function answering() {
  return startLoopback((_seen, response) => {
    sendJson(response, 200, { success: true, errors: [], messages: [], result: [] });
  });
}

test('sends requests to the service through the proxy, and the credentials of the proxy to the proxy only', async () => {
  const server = await answering();
  const proxy = await startConnectProxy(server.baseUrl);
  const { client } = openReader(BASE, through(proxy.url.replace('//', '//me:hunter2@')));
  await client.get('/a');
  expect(proxy.asked).toEqual([`service.example:80 Basic ${Buffer.from('me:hunter2').toString('base64')}`]);
  expect(server.seen.map(({ url, headers }) => [url, headers.host])).toEqual([
    ['/client/v4/a', 'service.example'],
  ]);
  expect(server.seen[0]?.headers).not.toHaveProperty('proxy-authorization');
});

test('does not use the proxy for a host that NO_PROXY matches', async () => {
  const proxy = await startConnectProxy('http://127.0.0.1:9');
  const { client } = openReader(BASE, through(proxy.url, { NO_PROXY: 'other.example, .example' }));
  const { code } = await serviceError(client.get('/a'));
  expect([code, proxy.asked]).toEqual(['api/unreachable', []]);
});

test('reports a write for which the proxy refuses a tunnel as one without effect, with the answer of the proxy', async () => {
  const server = await answering();
  const proxy = await startConnectProxy(server.baseUrl, 407);
  const { client } = openWriter(BASE, through(proxy.url));
  const error = await serviceError(deleteRule(client, { scope: ZONE, rulesetId: id(1), ruleId: id(2) }));
  expect(error.message).toContain('the proxy opens no way to service.example (407)');
  expect([error.code, error.effect, server.seen.length, proxy.asked.length]).toEqual([
    'api/unreachable',
    'none',
    0,
    1,
  ]);
});

test('asks a proxy that answers 503 again', async () => {
  const proxy = await startConnectProxy('http://127.0.0.1:9', 503);
  const { client } = openReader(BASE, through(proxy.url));
  await serviceError(client.get('/a'));
  expect(proxy.asked.length).toBeGreaterThan(1);
});

test('asks a proxy that closes the connection four times, and reports that the write had no effect', async () => {
  const proxy = await startConnectProxy('http://127.0.0.1:9', 0);
  const { client } = openWriter(BASE, through(proxy.url));
  const error = await serviceError(deleteRule(client, { scope: ZONE, rulesetId: id(1), ruleId: id(2) }));
  expect([error.code, error.effect, proxy.asked.length]).toEqual(['api/unreachable', 'none', 4]);
});
