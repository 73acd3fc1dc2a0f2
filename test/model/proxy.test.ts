import { expect, test } from 'vitest';
import { proxyFor } from '../../src/network/proxy.ts';

const SERVICE = 'https://api.example/v4';

test.each([
  [
    'by the scheme of what is asked for',
    { HTTPS_PROXY: 'http://p:1', HTTP_PROXY: 'http://q:1' },
    'http://p:1',
  ],
  ['in lower case first', { https_proxy: 'http://p:1', HTTPS_PROXY: 'http://q:1' }, 'http://p:1'],
  ['for all schemes', { ALL_PROXY: 'http://p:1' }, 'http://p:1'],
  ['without a scheme of its own', { HTTPS_PROXY: 'p.example:3128' }, 'http://p.example:3128'],
  ['not where it is empty', { https_proxy: '', HTTPS_PROXY: 'http://p:1' }, 'http://p:1'],
  ['not for another scheme', { HTTP_PROXY: 'http://p:1' }, undefined],
])('reads the proxy from the environment: %s', (_how, env, uri) => {
  expect(proxyFor(SERVICE, env)?.httpsProxy).toBe(uri);
});

test.each(['http://127.0.0.1:8787/v4', 'http://localhost:1', 'http://[::1]:1', 'http://a.localhost'])(
  'uses no proxy for this machine: %s',
  (url) => {
    expect(proxyFor(url, { HTTP_PROXY: 'http://p:1' })).toBeUndefined();
  },
);

test('does not take a host name that begins with 127 for this machine', () => {
  expect(proxyFor('http://127.example', { HTTP_PROXY: 'http://p:1' })?.httpProxy).toBe('http://p:1');
});

test.each(['socks5://me:hunter2@p:1', 'http://me:hunter2@', 'ht tp://hunter2', 'http://me:hunter2%@p:1'])(
  'refuses a value that is not the URL of an HTTP proxy, without showing it: %s',
  (value) => {
    expect(() => proxyFor(SERVICE, { HTTPS_PROXY: value })).toThrow(
      /^HTTPS_PROXY is not the URL of an HTTP proxy$/u,
    );
  },
);
