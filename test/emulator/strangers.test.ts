import { request } from 'node:http';
import { text } from 'node:stream/consumers';

import { describe, expect, onTestFinished, test } from 'vitest';

import { startEmulator } from '../../src/emulator/index.ts';
import { routes } from '../../src/emulator/interface/interface-routes.ts';
import { account, shop, startBench } from './bench.ts';

/** Sends a GET with a `Host` header as it is; returns the status, and what is wrong with the host. */
function statusFor(port: number, host: string): Promise<number | string | undefined> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/_emulator/', headers: { host } }, (answer) => {
      const named = text(answer).then((body) => /host '([^']*)'; --allow-host/u.exec(body)?.[1]);
      resolve(named.then((name) => name ?? answer.statusCode));
    })
      .on('error', reject)
      .end();
  });
}

describe('the host of a request', () => {
  test('is this machine with the port of the service, or one that was allowed', async () => {
    const emulator = await startEmulator({ hosts: ['emulator', 'tunnel.example:443'] });
    onTestFinished(() => emulator.close());
    const { port } = emulator;
    const status = async (host: string) => [host, await statusFor(port, host)];
    const answered = [
      `127.0.0.1:${port}`,
      `LOCALHOST:${port}`,
      `[::1]:${port}`,
      'emulator',
      'Emulator:80',
      'tunnel.example:443',
    ];
    expect(await Promise.all(answered.map(status))).toEqual(answered.map((host) => [host, 200]));
    const refused = [
      `rebound.example:${port}`,
      'localhost',
      `localhost:${port + 1}`,
      `127.0.0.1.rebound.example:${port}`,
      `localhost.:${port}`,
      `192.0.2.1:${port}`,
      'tunnel.example',
      `x.emulator:${port}`,
    ];
    expect(await Promise.all(refused.map(status))).toEqual(refused.map((host) => [host, host]));
  });

  test('is an address of the machine where the service listens on all', async () => {
    const emulator = await startEmulator({ address: '0.0.0.0' });
    onTestFinished(() => emulator.close());
    expect(await statusFor(emulator.port, `127.0.0.1:${emulator.port}`)).toBe(200);
    expect(await statusFor(emulator.port, 'rebound.example')).toBe('rebound.example');
    expect((await fetch(emulator.controlUrl)).status).toBe(200);
  });
});

describe('control endpoints', () => {
  const OWN = 'http://emulator.test';
  test.each<[what: string, status: number, headers: Readonly<Record<string, string>>]>([
    ['a client that is no browser', 200, {}],
    ['a script of the page’s own origin', 200, { origin: OWN, 'sec-fetch-site': 'same-origin' }],
    ['somebody behind a proxy with TLS', 200, { origin: 'https://emulator.test' }],
    ['another site', 403, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another site, in an old browser', 403, { origin: 'https://evil.example' }],
    ['a page without origin', 403, { origin: 'null' }],
    ['another port of this machine', 403, { origin: `${OWN}:81`, 'sec-fetch-site': 'same-site' }],
    ['a navigation from another site', 403, { 'sec-fetch-site': 'cross-site' }],
    ['a form', 415, { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a form with files', 415, { 'content-type': 'multipart/form-data; boundary=x' }],
    ['a form with plain text', 415, { 'content-type': 'Text/Plain;charset=UTF-8' }],
  ])('are written to by %s: %i', async (_, status, headers) => {
    const bench = await startBench();
    await bench.call('GET', '/zones');
    const response = await bench.control('POST', '/snapshot', { name: 'a' }, headers);
    expect(response.status).toBe(status);
    const names: unknown = await (await bench.control('GET', '/snapshots')).json();
    expect(names).toEqual(status === 200 ? ['a'] : []);
    const deleted = await bench.control('DELETE', '/requests', undefined, headers);
    expect([deleted.status, bench.service.requests.length]).toEqual([status, status === 200 ? 0 : 1]);
  });

  test('are read from wherever a link to them stands', async () => {
    const bench = await startBench();
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await bench.control('GET', '/', undefined, headers)).status).toBe(200);
    expect((await bench.control('GET', '/requests', undefined, headers)).status).toBe(200);
  });
});

describe('a body over the limit', () => {
  test('is refused when its length is known only at its end, by interface and control endpoints', async () => {
    const emulator = await startEmulator({ maxBodyBytes: 10_000 });
    onTestFinished(() => emulator.close());
    const body = (): ReadableStream =>
      ReadableStream.from(Array.from({ length: 100 }, () => new TextEncoder().encode(' '.repeat(1000))));
    const headers = { authorization: `Bearer ${emulator.token}`, 'content-type': 'application/json' };
    for (const url of [`${emulator.baseUrl}/zones`, `${emulator.controlUrl}/snapshot`]) {
      const response = await fetch(url, { method: 'POST', headers, body: body(), duplex: 'half' });
      expect([url, response.status]).toEqual([url, 413]);
    }
  });
});

describe('hostile names', () => {
  const names = ['__proto__', 'constructor', 'toString', '%00', '%E0%A4%A', '..%2f..', 'a'.repeat(5000)];
  test.each(names)('%s in place of an id never breaks an operation', async (name) => {
    const failures: string[] = [];
    const bench = await startBench({
      log: (event) => {
        if (event.kind === 'failure') {
          failures.push(event.message);
        }
      },
    });
    for (const { method, path } of routes) {
      const where = path
        .replace('/zones/:zone', shop)
        .replace('/accounts/:account', account)
        .replaceAll(/:\w+(?:\{(?:[^{}]|\{[^{}]*\})*\})?/gu, name);
      const query = `?order=${name}&name=${name}:x&page=${name}`;
      const body =
        method === 'GET'
          ? undefined
          : `{"${name}": {}, "id": "${name}", "type": "${name}", "value": "${name}"}`;
      await bench.call(method, where + query, body);
      await bench.call(method, where, body);
    }
    expect(failures).toEqual([]);
  });
});
