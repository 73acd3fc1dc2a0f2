import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Emulator, EmulatorOptions } from '../../src/emulator/index.ts';
import { shopSeed, startEmulator } from '../../src/emulator/index.ts';
import { startConnectProxy } from '../api/connect-proxy.ts';
import { startLoopback } from '../api/loopback.ts';
import type { Ended } from './in-process.ts';
import { rulewright } from './in-process.ts';

const READER = 'reader-reader-reader-reader-reader-reader';
const ZONE = 'shop.example';

let folder: string;
let emulator: Emulator;
let wrote: string[];
let sent: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-doctor-'));
});
afterEach(async () => {
  await emulator.close();
  await rm(folder, { recursive: true });
});

/** Starts the embedded service with the shop, and a token with only these permissions. */
async function start(permissions: readonly string[], more: Partial<EmulatorOptions> = {}): Promise<void> {
  wrote = [];
  sent = [];
  emulator = await startEmulator({
    hosts: ['service.example'],
    seed: { ...Object(shopSeed), tokens: { [READER]: [{ permissions, resources: ['*'] }] } },
    log: (event) => {
      if (event.kind === 'request') {
        sent.push(`${event.method} ${event.path}`);
        wrote.push(...(event.wrote ? [event.path] : []));
      }
    },
    ...more,
  });
}

async function doctor(
  more: readonly string[] = ['--zone', ZONE],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return rulewright(['doctor', '--base-url', emulator.baseUrl, ...more], {
    cwd: folder,
    env: { CLOUDFLARE_API_TOKEN: READER, ...env },
  });
}

describe('doctor', () => {
  test('accepts a token without write permissions with --read-only, and fails for it otherwise', async () => {
    await start(['Zone Read', 'Zone WAF Read']);
    await writeFile(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: [zone.yaml]\n');
    await writeFile(
      join(folder, 'zone.yaml'),
      `zone: ${ZONE}\nentrypoints: { http_ratelimit: { rules: [] } }\n`,
    );
    const { code, stdout } = await doctor(['--read-only']);
    expect(code).toBe(0);
    expect(stdout).toContain('✓ read http_ratelimit: may be read');
    expect(stdout).not.toContain('write http_ratelimit');
    expect(sent.filter((request) => !request.startsWith('GET'))).toEqual([]);
    expect((await doctor([])).code).toBe(1);
  });

  test('asks whether the health of waves can be judged, where the files want that and the token writes', async () => {
    await start(['Zone Read', 'Zone WAF Write']);
    const rollout = 'rollout: { waves: [{ share: 100% }], health: { blocked: 1% } }';
    await writeFile(join(folder, 'rulewright.yaml'), `version: 1\nfiles: [zone.yaml]\n${rollout}\n`);
    await writeFile(join(folder, 'zone.yaml'), `zone: ${ZONE}\n`);
    const { code, stdout } = await doctor([]);
    expect(code).toBe(1);
    expect(stdout).toContain('✗ analytics of requests: cannot be asked for');
    expect(stdout).toContain('✗ analytics of security events: cannot be asked for');
    expect(stdout).toContain('the token needs the permission "Analytics" Read for the zone');
    expect((await doctor(['--read-only'])).stdout).not.toContain('analytics');
    const all = await doctor([], { CLOUDFLARE_API_TOKEN: emulator.token });
    expect(all.stdout).toContain('✓ analytics of requests: may be asked for');
    expect(all.code).toBe(0);
  });

  test('finds no problem with all permissions, and writes nothing', async () => {
    await start(['*']);
    const { code, stdout } = await doctor();
    expect(code).toBe(0);
    expect(stdout).toContain('✓ write http_ratelimit: may be written');
    expect(stdout).toContain('All is well.');
    expect(wrote).toEqual([]);
  });

  test('sends one request to prove that the service honours dry runs, and then one for each phase', async () => {
    await start(['*']);
    const { stdout } = await doctor();
    const phases = stdout.match(/write \w+: may be written/gu) ?? [];
    expect(phases.length).toBeGreaterThan(1);
    expect(sent.filter((request) => request.startsWith('DELETE'))).toHaveLength(phases.length + 1);
  });

  test('names the permission groups that are missing', async () => {
    await start(['Zone Read', 'Zone WAF Read']);
    const { code, stdout } = await doctor();
    const text = stdout.replaceAll(/\s+/gu, ' ');
    expect(code).toBe(1);
    expect(text).toContain(
      '✗ write http_ratelimit: may not be written hint: the token needs the permission "Zone WAF" Write',
    );
    expect(text).toContain('planning and drift need no such right');
    expect(wrote).toEqual([]);
  });

  test('names the file and line of a token_env whose variable is not set', async () => {
    await start(['*']);
    await writeFile(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: [zone.yaml]\n');
    await writeFile(
      join(folder, 'zone.yaml'),
      `zone: ${ZONE}\ntoken_env: SHOP_TOKEN\nentrypoints: { http_ratelimit: { rules: [] } }\n`,
    );
    const { code, stdout } = await doctor([]);
    const text = stdout.replaceAll(/\s+/gu, ' ');
    expect(code).toBe(1);
    expect(text).toContain(
      'the environment variable SHOP_TOKEN, which token_env at zone.yaml:2 names, is not set',
    );
    expect(text).toContain('set SHOP_TOKEN to the API token of this scope');
  });

  test('sends no dry run to a service that ignores dry runs', async () => {
    await start(['*'], { switches: { dryRun: 'ignored' } });
    await writeFile(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: [zone.yaml]\n');
    await writeFile(
      join(folder, 'zone.yaml'),
      `zone: ${ZONE}\nentrypoints:\n  http_ratelimit: { rules: [] }\n  http_config_settings: { rules: [] }\n`,
    );
    const { stdout } = await doctor([]);
    const text = stdout.replaceAll(/\s+/gu, ' ');
    expect(text).toContain('? write http_ratelimit: not checked: the service did not prove');
    expect(text).toContain('? write http_config_settings: not checked: there is no entry point');
    expect(wrote).toEqual([]);
    expect(sent.filter((request) => request.startsWith('POST'))).toEqual([]);
  });

  test('checks the declared phases, also one without an entry point', async () => {
    await start(['*']);
    await writeFile(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: [zone.yaml]\n');
    await writeFile(
      join(folder, 'zone.yaml'),
      `zone: ${ZONE}\nentrypoints:\n  http_ratelimit: { rules: [] }\n  http_config_settings: { rules: [] }\n`,
    );
    const { code, stdout } = await doctor([]);
    expect(code).toBe(0);
    expect(stdout).toContain('✓ write http_config_settings: an entry point may be made');
    expect(stdout).not.toContain('http_request_firewall_custom');
    expect(wrote).toEqual([]);
  });

  test('checks reading lists only if a rule names a list of the account', async () => {
    await start(['Zone Read', 'Zone WAF Write']);
    await writeFile(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: [zone.yaml]\n');
    const zone = (expression: string): string =>
      `zone: ${ZONE}\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n      - { ref: a, expression: ${expression}, action: block }\n`;
    await writeFile(join(folder, 'zone.yaml'), zone('ip.src in $cf.malware'));
    expect((await doctor([])).stdout).not.toContain('lists');
    await writeFile(join(folder, 'zone.yaml'), zone('ip.src in $office_networks'));
    const { code, stdout } = await doctor([]);
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\s+/gu, ' ')).toContain(
      '! read lists: may not be read: plans cannot check that the lists which rules name are there hint: the token needs the permission "Account Filter Lists" Read for this account',
    );
  });

  test('checks reading the settings and lists that the files declare, and says that writing them is not tried', async () => {
    await start(['Zone Read', 'Zone WAF Write', 'Zone Settings Read', 'Account Settings Read']);
    await writeFile(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: [zone.yaml, account.yaml]\n');
    await writeFile(
      join(folder, 'zone.yaml'),
      `zone: ${ZONE}\nsettings: { page_shield: { enabled: true }, zone: { ssl: strict } }\n`,
    );
    await writeFile(
      join(folder, 'account.yaml'),
      'account: Example Shop\nlists: [{ name: office, kind: ip, items: [192.0.2.1] }]\n',
    );
    const { code, stdout } = await doctor([]);
    const said = stdout.replaceAll(/\s+/gu, ' ');
    expect(code).toBe(1);
    expect(said).toContain(
      'read setting page_shield: may not be read hint: the token needs the permission "Page Shield"',
    );
    expect(said).toContain('? write settings: not checked: the service has no dry run for them');
    expect(said).toContain('read lists: may not be read');
    expect(said).not.toContain('phases: there');
  });

  test('names the proxy in use without its password', async () => {
    await start(['*']);
    const proxy = await startConnectProxy(emulator.baseUrl);
    const base = `http://service.example${new URL(emulator.baseUrl).pathname}`;
    const { code, stdout } = await rulewright(['doctor', '--base-url', base, '--zone', ZONE], {
      cwd: folder,
      env: { CLOUDFLARE_API_TOKEN: READER, HTTP_PROXY: proxy.url.replace('//', '//me:hunter2@') },
    });
    expect(code).toBe(0);
    expect(stdout).toContain(`✓ proxy: requests go through ${proxy.url} (HTTP_PROXY)`);
    expect(stdout).not.toContain('hunter2');
    expect(proxy.asked.length).toBeGreaterThan(0);
  });

  test('is unhealthy for a token that the service does not know, and does not print the token', async () => {
    await start(['*']);
    const { code, stdout } = await doctor(['--format', 'json'], { CLOUDFLARE_API_TOKEN: 'x'.repeat(40) });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'doctor', formatVersion: 1, healthy: false });
    expect(stdout).not.toContain('x'.repeat(40));
  });

  test('reports a project file that does not exist', async () => {
    await start(['*']);
    const { code, stdout } = await doctor(['--config', 'nope.yaml']);
    expect(code).toBe(1);
    expect(stdout).toContain('✗ files: the project file nope.yaml does not exist');
  });

  test('continues when the files of the project have errors', async () => {
    await start(['*']);
    await writeFile(join(folder, 'rulewright.yaml'), 'version: 2\n');
    const { code, stdout } = await doctor();
    expect(code).toBe(0);
    expect(stdout).toContain('! files: the files of the project have errors');
  });
});

test('doctor reports how far the clock is ahead of that of the service', async () => {
  await start(['*']);
  const { baseUrl } = await startLoopback((_seen, response) => {
    response.writeHead(200, {
      'content-type': 'application/json',
      date: new Date(Date.now() - 600_000).toUTCString(),
    });
    response.end(
      '{"success":true,"errors":[],"messages":[],"result":{"id":"a","status":"active"},"result_info":{}}',
    );
  });
  const { stdout } = await rulewright(['doctor', '--base-url', baseUrl, '--zone', '0'.repeat(32)], {
    cwd: folder,
    env: { CLOUDFLARE_API_TOKEN: READER },
  });
  expect(stdout).toMatch(/! clock: it is (599|600|601) seconds ahead of that of the service/u);
});
