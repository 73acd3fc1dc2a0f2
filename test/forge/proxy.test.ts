import { expect, test } from 'vitest';
import { openGithub } from '../../src/forge/github/github-forge.ts';
import { openGitlab } from '../../src/forge/gitlab/gitlab-forge.ts';
import { sendWebhook } from '../../src/forge/webhook.ts';
import type { Proxy } from '../../src/network/proxy.ts';
import { proxyFor } from '../../src/network/proxy.ts';
import { startConnectProxy } from '../api/connect-proxy.ts';
import { startLoopback } from '../api/loopback.ts';
import { createFakeClock } from '../fake-clock.ts';

const apiUrl = 'http://forge.example/api';

function connection(proxy: Proxy) {
  return {
    apiUrl,
    token: 'secret',
    tokenName: 'TOKEN',
    clock: createFakeClock(),
    onWait: () => undefined,
    proxy,
  };
}

test.each([
  ['GitHub', (proxy: Proxy) => openGithub(connection(proxy)).send('GET /user'), '/api/user'],
  ['GitLab', (proxy: Proxy) => openGitlab(connection(proxy)).send('GET', '/user'), '/api/user'],
  [
    'a webhook',
    (proxy: Proxy) => sendWebhook(`${apiUrl}/hook`, '{}', { clock: createFakeClock(), proxy }),
    '/api/hook',
  ],
])('%s is reached through the proxy', async (_name, send, path) => {
  const server = await startLoopback((_seen, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  });
  const way = await startConnectProxy(server.baseUrl);
  const proxy = proxyFor(apiUrl, { HTTP_PROXY: way.url });
  expect(proxy).toBeDefined();
  await (proxy === undefined ? undefined : send(proxy));
  expect(way.asked).toEqual(['forge.example:80 -']);
  expect(server.seen.map(({ url }) => url)).toEqual([path]);
});

test('asks a proxy that hangs up once per attempt', async () => {
  const way = await startConnectProxy('http://127.0.0.1:9', 0);
  const proxy = proxyFor(apiUrl, { HTTP_PROXY: way.url });
  const sent = sendWebhook(`${apiUrl}/hook`, '{}', { clock: createFakeClock(), ...(proxy && { proxy }) });
  await expect(sent).rejects.toMatchObject({ code: 'webhook/failed' });
  expect(way.asked).toHaveLength(4);
});
