import { createServer } from 'node:https';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkProbes, probeTarget, readProbeHost } from '../../src/health/index.ts';
import type { AllowedProbeHost, HealthMeans, ProbeReach } from '../../src/health/index.ts';
import type { HealthProbe } from '../../src/model/index.ts';
import { startLoopback } from '../api/loopback.ts';
import type { Handler } from '../api/loopback.ts';
import { CERTIFICATE, KEY } from '../self-signed.ts';
import { createFakeClock } from '../fake-clock.ts';

const ZONES = ['shop.example'];

function reach(...names: readonly string[]): ProbeReach {
  return { zones: ZONES, allowed: names.map(allowedHost) };
}

function allowedHost(name: string): AllowedProbeHost {
  const host = readProbeHost(name);
  if (host === undefined) {
    throw new Error(`${name} is no host`);
  }
  return host;
}

function probe(url: string, expected: readonly number[] = [200]): HealthProbe {
  return { url, expect: expected };
}

/** Names that lead where the table says, and nowhere else. */
function names(table: Readonly<Record<string, readonly string[]>>): HealthMeans['resolve'] {
  return (host) => {
    const addresses = table[host];
    return addresses === undefined
      ? Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
      : Promise.resolve(addresses);
  };
}

async function outcome(one: HealthProbe, means: Omit<HealthMeans, 'clock'>) {
  const { measures } = await checkProbes([one], { clock: createFakeClock(), ...means });
  const [measure] = measures;
  return { verdict: measure?.verdict, why: measure?.why ?? '' };
}

async function serve(handler: Handler) {
  const server = await startLoopback(handler);
  return { port: new URL(server.baseUrl).port, seen: server.seen };
}

test.each([
  ['ftp://shop.example/', /neither http nor https/],
  ['file:///etc/passwd', /neither http nor https/],
  ['not a url', /not a URL/],
  ['https://user@shop.example/', /user name or a password/],
  ['https://user:secret@shop.example/', /user name or a password/],
  ['https://shop.example:22/', /port 22/],
  ['http://shop.example:443/', /port 443/],
  ['https://shop.example:8443/', /port 8443/],
  ['https://other.example/', /other\.example is in no zone/],
  ['https://notshop.example/', /in no zone/],
  ['https://shop.example.evil.example/', /in no zone/],
  ['https://shop.example@evil.example/', /user name/],
  ['https://evil.example#@shop.example/', /evil\.example is in no zone/],
  [String.raw`https://evil.example\@shop.example/`, /evil\.example is in no zone/],
  ['http://127.0.0.1/', /127\.0\.0\.1 is in no zone/],
  ['http://2130706433/', /127\.0\.0\.1 is in no zone/],
  ['http://0x7f.1/', /127\.0\.0\.1 is in no zone/],
  ['http://017700000001/', /127\.0\.0\.1 is in no zone/],
  ['http://[::1]/', /\[::1\] is in no zone/],
  ['http://[::ffff:169.254.169.254]/', /in no zone/],
  ['http://localhost/', /localhost is in no zone/],
])('a probe of %s is refused before anything is resolved', async (url, why) => {
  const resolve: HealthMeans['resolve'] = () => Promise.reject(new Error('nothing is to be resolved'));
  const { verdict, why: said } = await outcome(probe(url), { reach: reach(), resolve });
  expect(verdict).toBe('no_data');
  expect(said).toMatch(why);
  expect(said).not.toContain('secret');
});

test.each([
  ['https://shop.example/health', true],
  ['https://www.shop.example/', true],
  ['https://SHOP.example./', true],
  ['http://shop.example:80/', true],
  ['http://127.0.0.1:8080/', false],
])('whether a probe may ask %s: %s', (url, allowed) => {
  expect(probeTarget(url, reach()).kind).toBe(allowed ? 'target' : 'refused');
});

test('a named host is allowed at its port, or at every port', () => {
  const ask = (url: string, ...allowed: readonly string[]) => probeTarget(url, reach(...allowed)).kind;
  expect(ask('http://status.example:8080/', 'status.example:8080')).toBe('target');
  expect(ask('http://status.example:8081/', 'status.example:8080')).toBe('refused');
  expect(ask('https://status.example/', 'STATUS.example:443')).toBe('target');
  expect(ask('http://status.example/', 'status.example:443')).toBe('refused');
  expect(ask('http://127.0.0.1:9/', '127.0.0.1')).toBe('target');
  expect(ask('http://[::1]:9/', '::1')).toBe('target');
  expect(ask('http://[::1]:9/', '[::1]:9')).toBe('target');
  expect(ask('http://sub.status.example/', 'status.example')).toBe('refused');
});

test.each(['', 'http://status.example', 'a/b', 'user@host', 'host:0', 'host:65536', 'host:x', '[::1', 'a b'])(
  'the host %j cannot be named',
  (text) => {
    expect(readProbeHost(text)).toBeUndefined();
  },
);

test.each([
  ['127.0.0.1', /loopback/],
  ['127.9.9.9', /loopback/],
  ['::1', /loopback/],
  ['::ffff:127.0.0.1', /loopback/],
  ['169.254.169.254', /metadata/],
  ['::ffff:169.254.169.254', /metadata/],
  ['::ffff:a9fe:a9fe', /metadata/],
  ['fd00:ec2::254', /metadata/],
  ['168.63.129.16', /metadata/],
  ['169.254.7.7', /link-local/],
  ['fe80::1', /link-local/],
  ['fe80::1%eth0', /link-local/],
  ['10.1.2.3', /private/],
  ['172.16.0.1', /private/],
  ['172.31.255.255', /private/],
  ['192.168.1.1', /private/],
  ['100.64.0.1', /private/],
  ['fc00::1', /private/],
  ['fdff::1', /private/],
  ['0.0.0.0', /reserved/],
  ['255.255.255.255', /reserved/],
  ['224.0.0.1', /reserved/],
  ['198.18.0.1', /reserved/],
  ['::', /reserved/],
  ['64:ff9b::7f00:1', /reserved/],
  ['2002:7f00:1::', /reserved/],
  ['2001:0:7f00:1::', /reserved/],
  ['ff02::1', /reserved/],
])('a host of a zone that leads to %s is not reached', async (address, kind) => {
  const resolve = names({ 'shop.example': ['1.1.1.1', address] });
  const { verdict, why } = await outcome(probe('http://shop.example/'), { reach: reach(), resolve });
  expect(verdict).toBe('no_data');
  expect(why).toMatch(kind);
  expect(why).toContain('shop.example leads to');
});

test('a host that the command line names may be private, but link-local only by its address', async () => {
  const { port, seen } = await serve((_, response) => response.end('fine'));
  const named = { reach: reach('internal.test'), resolve: names({ 'internal.test': ['127.0.0.1'] }) };
  expect(await outcome(probe(`http://internal.test:${port}/`), named)).toMatchObject({ verdict: 'holds' });
  expect(seen[0]?.headers.host).toBe(`internal.test:${port}`);
  const linked = { reach: reach('internal.test'), resolve: names({ 'internal.test': ['169.254.169.254'] }) };
  expect(await outcome(probe('http://internal.test/'), linked)).toMatchObject({
    verdict: 'no_data',
    why: 'not sent: internal.test leads to 169.254.169.254, an address of a metadata service',
  });
});

test('a probe goes to the address that was checked, though its name then leads elsewhere', async () => {
  const { port, seen } = await serve((_, response) => response.end());
  let asked = 0;
  const resolve = (): Promise<readonly string[]> => {
    asked += 1;
    return Promise.resolve(asked === 1 ? ['127.0.0.1'] : ['169.254.169.254']);
  };
  const means = { reach: reach('internal.test'), resolve };
  expect(await outcome(probe(`http://internal.test:${port}/`), means)).toMatchObject({ verdict: 'holds' });
  expect([asked, seen.length]).toEqual([1, 1]);
});

test('a probe sends no credentials, and its body is not shown', async () => {
  const { port, seen } = await serve((_, response) => {
    response.writeHead(500, { 'set-cookie': 'session=1' });
    response.end('the password is hunter2');
  });
  const answer = await outcome(probe(`http://127.0.0.1:${port}/a?b`), {
    reach: reach('127.0.0.1'),
  });
  expect(answer).toEqual({
    verdict: 'fails',
    why: '3 answers other than expected (200), at last: status 500',
  });
  expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /a?b', 'GET /a?b', 'GET /a?b']);
  expect(Object.keys(seen[1]?.headers ?? {}).toSorted()).toEqual([
    'accept',
    'connection',
    'host',
    'user-agent',
  ]);
});

test.each([
  ['/elsewhere', 'holds', ''],
  ['http://169.254.169.254/latest/', 'fails', 'redirect to 169.254.169.254, which probes do not follow'],
  ['http://other.example/', 'fails', 'redirect to other.example, which probes do not follow'],
  ['//evil.example/', 'fails', 'redirect to evil.example'],
  ['http://user:secret@127.0.0.1/', 'fails', 'where probes do not go: it has a user name'],
  ['file:///etc/passwd', 'fails', 'which probes do not follow'],
  ['/', 'fails', 'more than 5 redirects'],
])('a redirect to %s: %s', async (location, verdict, why) => {
  const { port } = await serve(({ url }, response) => {
    response.writeHead(url === '/' ? 302 : 200, { location });
    response.end();
  });
  const answer = await outcome(probe(`http://127.0.0.1:${port}/`), { reach: reach(`127.0.0.1`) });
  expect(answer.verdict).toBe(verdict);
  expect(answer.why).toContain(why);
  expect(answer.why).not.toContain('secret');
});

test('a redirect to another port of the host needs that port to be allowed', async () => {
  const { port } = await serve((_, response) => {
    response.writeHead(301, { location: 'http://127.0.0.1:1/' });
    response.end();
  });
  expect(
    await outcome(probe(`http://127.0.0.1:${port}/`), { reach: reach(`127.0.0.1:${port}`) }),
  ).toMatchObject({ verdict: 'fails' });
  expect(
    await outcome(probe(`http://127.0.0.1:${port}/`, [301]), { reach: reach('127.0.0.1') }),
  ).toMatchObject({ verdict: 'holds' });
});

test('another answer than expected is asked for again a little later', async () => {
  const { port, seen } = await serve((_, response, index) => {
    response.writeHead(index === 1 ? 200 : 503);
    response.end();
  });
  const clock = createFakeClock(Date.UTC(2026, 0, 1));
  const result = await checkProbes([probe(`http://127.0.0.1:${port}/`)], {
    clock,
    reach: reach('127.0.0.1'),
  });
  expect(result).toMatchObject({
    verdict: 'holds',
    measures: [
      {
        attempts: [
          { at: '2026-01-01T00:00:00Z', status: 503, problem: 'status 503' },
          { at: '2026-01-01T00:00:05Z', status: 200, problem: null },
        ],
      },
    ],
  });
  expect(seen).toHaveLength(2);
});

test('nobody listening, and a name that leads nowhere, are failed answers', async () => {
  const server = await startLoopback((_, response) => response.end());
  await server.close();
  const { port } = new URL(server.baseUrl);
  expect(await outcome(probe(`http://127.0.0.1:${port}/`), { reach: reach('127.0.0.1') })).toMatchObject({
    verdict: 'fails',
    why: expect.stringContaining('ECONNREFUSED') as string,
  });
  expect(await outcome(probe('http://shop.example/'), { reach: reach(), resolve: names({}) })).toMatchObject({
    verdict: 'fails',
    why: expect.stringContaining('ENOTFOUND') as string,
  });
});

test('an answer that does not come ends the attempt', async () => {
  const { port } = await serve(() => undefined);
  const answer = await outcome(probe(`http://127.0.0.1:${port}/`), {
    reach: reach('127.0.0.1'),
    timeoutMs: 30,
  });
  expect(answer).toMatchObject({
    verdict: 'fails',
    why: expect.stringContaining('no answer within 30 ms') as string,
  });
});

test('a certificate is verified, whatever the environment says', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const server = createServer({ key: KEY, cert: CERTIFICATE }, (_, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const answer = await outcome(probe(`https://127.0.0.1:${port}/`), { reach: reach('127.0.0.1') });
  expect(answer).toMatchObject({
    verdict: 'fails',
    why: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT') as string,
  });
});

test('an interruption is thrown', async () => {
  const { port } = await serve(() => undefined);
  await expect(
    outcome(probe(`http://127.0.0.1:${port}/`), { reach: reach('127.0.0.1'), signal: AbortSignal.abort() }),
  ).rejects.toThrow('aborted');
});
