import { describe, expect, test } from 'vitest';
import type { Description } from '../../src/emulator/page/describe-service.ts';
import { controlEndpoints } from '../../src/emulator/page/describe-service.ts';
import { SEED_TOKEN } from '../../src/emulator/index.ts';
import { routes } from '../../src/emulator/interface/interface-routes.ts';
import { startBench } from './bench.ts';
import type { Bench } from './bench.ts';

async function pageOf(bench: Bench): Promise<string> {
  const response = await bench.control('GET', '/');
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8']);
  return (await response.text()).replaceAll(/\s+/gu, ' ');
}

async function describedBy(bench: Bench): Promise<Description> {
  const response = await bench.control('GET', '/', undefined, { accept: 'application/json' });
  return (await response.json()) as Description;
}

describe('the start page', () => {
  test('shows how to point a client at the service, and lists zones, limits, switches and operations', async () => {
    const page = await pageOf(await startBench({ budget: { requests: 7, seconds: 60 } }));
    for (const part of [
      'export CLOUDFLARE_BASE_URL=http://emulator.test/client/v4',
      `export CLOUDFLARE_API_TOKEN=${SEED_TOKEN}`,
      'shop.example',
      '7 requests in 60 seconds',
      'bodies up to 10 MiB',
      'rateLimitDeletes',
      '/zones/:zone/rulesets/phases/:phase/entrypoint',
      'None: nothing goes wrong on purpose.',
      'Its time is 2026-03-04 05:06:07 UTC.',
    ]) {
      expect(page).toContain(part);
    }
  });

  test('loads no resources and runs no scripts', async () => {
    const bench = await startBench();
    const response = await bench.control('GET', '/');
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    const page = await response.text();
    expect(page).not.toMatch(/<script|<link|<img|\ssrc=|@import|url\(|https?:\/\/(?!emulator\.test)/u);
  });

  test('escapes names from seeds and faults', async () => {
    const name = `<script>alert("x")</script>&'`;
    const bench = await startBench({
      seed: { version: 1, accounts: [{ name }], zones: [{ name }] },
      faults: { name, effect: { kind: 'stale' } },
    });
    const page = await pageOf(bench);
    expect(page).not.toContain('<script');
    expect(page.split('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;').length).toBeGreaterThan(
      3,
    );
  });

  test('is available as JSON to a client that asks for it', async () => {
    const bench = await startBench({
      budget: { requests: 7, seconds: 60 },
      switches: { emptyRules: 'list' },
      faults: { name: 'f', path: '/zones', effect: { kind: 'error', status: 500 } },
    });
    await bench.call('GET', '/zones');
    const about = await describedBy(bench);
    expect(about).toMatchObject({
      baseUrl: 'http://emulator.test/client/v4',
      controlUrl: 'http://emulator.test/_emulator',
      token: SEED_TOKEN,
      limits: { requests: { requests: 7, seconds: 60 }, rulesByPlan: { custom: { free: 5 } } },
      switches: { emptyRules: { value: 'list', values: ['absent', 'list'] } },
      faults: [{ name: 'f', kind: 'error', struck: 1 }],
    });
    expect(about.zones.map(({ name, rulesets }) => [name, rulesets > 0])).toContainEqual([
      'shop.example',
      true,
    ]);
    expect(about.families.flatMap(({ operations }) => operations)).toHaveLength(routes.length);
    expect(about.families.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['rulesets', 'rules/lists']),
    );
  });

  test('says when nothing limits requests', async () => {
    expect(await pageOf(await startBench())).toContain('As many requests as you like');
  });

  test('is where the root redirects to, needs no token, and is not recorded as a request', async () => {
    const bench = await startBench();
    const root = await bench.control('GET', '/../');
    expect([root.status, root.headers.get('location')]).toEqual([302, '/_emulator/']);
    expect((await bench.control('GET', '')).status).toBe(200);
    expect(bench.service.requests).toEqual([]);
  });

  test('names only control endpoints that exist', async () => {
    const bench = await startBench();
    await bench.control('POST', '/snapshot', { name: 'a' });
    for (const { method, path, body } of controlEndpoints) {
      const where = path
        .replace('<zone>', 'blog.example')
        .replace('<name>', 'x')
        .replace('<host>/<path>', 'blog.example/');
      const response = await bench.control(method, where, body === undefined ? undefined : JSON.parse(body));
      const { error = '' } =
        method === 'GET' && path === '/' ? {} : ((await response.json()) as { error?: string });
      expect(`${method} ${path}: ${error}`).not.toContain('no control endpoint');
      expect([
        method,
        path,
        response.status < 400 || path.startsWith('/waf-migration') || path.startsWith('/zones'),
      ]).toEqual([method, path, true]);
    }
  });
});
