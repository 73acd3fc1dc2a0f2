import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Emulator } from '../../src/emulator/index.ts';
import { startEmulator } from '../../src/emulator/index.ts';
import type { Ended } from './in-process.ts';
import { rulewright } from './in-process.ts';

const TOKEN = 'reader-reader-reader-reader-reader-reader';
const NAMES = Array.from({ length: 14 }, (_, index) => `zone-${String(index).padStart(2, '0')}.example`);

let folder: string;
let emulator: Emulator;
let sent: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-doctor-'));
  await mkdir(join(folder, 'zones'));
  await writeFile(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: [zones/*.yaml]\n');
  await Promise.all(NAMES.map((name) => declare(name)));
});
afterEach(async () => {
  await emulator.close();
  await rm(folder, { recursive: true });
});

async function declare(name: string, phase = 'http_ratelimit', more = ''): Promise<void> {
  await writeFile(
    join(folder, 'zones', `${name}.yaml`),
    `zone: ${name}\n${more}entrypoints: { ${phase}: { rules: [] } }\n`,
  );
}

/** Starts a service with fourteen zones, and a token with only these permissions. */
async function start(permissions: readonly string[]): Promise<void> {
  sent = [];
  const rulesets = ['http_ratelimit', 'http_config_settings'].map((phase) => ({
    kind: 'zone',
    phase,
    rules: [],
  }));
  emulator = await startEmulator({
    seed: {
      version: 1,
      accounts: [{ name: 'Shop', plan: 'pro' }],
      zones: NAMES.map((name) => ({ name, account: 'Shop', plan: 'pro', rulesets })),
      tokens: { [TOKEN]: [{ permissions, resources: ['*'] }] },
    },
    log: (event) => {
      if (event.kind === 'request') {
        sent.push(`${event.method} ${event.path}`);
      }
    },
  });
}

async function doctor(...more: readonly string[]): Promise<Ended> {
  return rulewright(['doctor', '--base-url', emulator.baseUrl, ...more], {
    cwd: folder,
    env: { CLOUDFLARE_API_TOKEN: TOKEN, OTHER_TOKEN: TOKEN },
  });
}

/** The number of zones in which doctor tried whether it may write. */
const probed = (): number =>
  new Set(sent.flatMap((request) => /^DELETE .*\/zones\/([^/]+)\//u.exec(request)?.[1] ?? [])).size;

const flat = (text: string): string => text.replaceAll(/\s+/gu, ' ');

describe('doctor with many zones', () => {
  test('checks ten zones in full, only looks the others up, and says so', async () => {
    await start(['*']);
    const { code, stdout, stderr } = await doctor();
    expect(code).toBe(0);
    expect(probed()).toBe(10);
    expect(
      sent.filter((request) => request.startsWith('GET') && /\/zones(\?|$)/u.test(request)),
    ).toHaveLength(1);
    expect(flat(stdout)).toContain('✓ 10 scopes: can be read and written, in 1 phase');
    expect(flat(stdout)).toContain('? 4 scopes only looked up: the rights of a token');
    expect(stdout).toContain('--all');
    expect(stdout).toContain('All is well; 4 scopes only looked up.');
    expect(stdout.split('\n').length).toBeLessThan(15);
    expect(stderr).toMatch(/checked permissions in zone:zone-\d\d\.example \(10 of 10\)/u);
  });

  test('reports with --read-only that zones can be read and that writes are not checked', async () => {
    await start(['*']);
    const { code, stdout } = await doctor('--read-only');
    expect([code, probed()]).toEqual([0, 0]);
    expect(flat(stdout)).toContain('✓ 10 scopes: can be read, in 1 phase; writes not checked');
  });

  test('counts phases only, where the files declare settings too', async () => {
    const settings = 'settings: { zone: { security_level: high } }\n';
    await Promise.all(NAMES.map((name) => declare(name, 'http_ratelimit', settings)));
    await start(['*']);
    const { stdout } = await doctor('--read-only');
    expect(flat(stdout)).toContain('✓ 10 scopes: can be read, in 1 phase; writes not checked');
  });

  test('checks every zone with --all, and reports each check with --verbose', async () => {
    await start(['*']);
    const { stdout } = await doctor('--all', '--verbose');
    expect(probed()).toBe(14);
    expect(stdout.split('write http_ratelimit: may be written')).toHaveLength(15);
    expect(stdout).toContain('All is well.\n');
  });

  test('also checks zones beyond the ten that have another phase or other credentials', async () => {
    await start(['*']);
    await declare('zone-12.example', 'http_config_settings');
    await declare('zone-13.example', 'http_ratelimit', 'token_env: OTHER_TOKEN\n');
    const { stdout } = await doctor('--format', 'json');
    const { groups, leftOut } = JSON.parse(stdout);
    const names = groups.map(({ name }: { readonly name: string }) => name);
    expect(names).toHaveLength(12);
    expect(names.slice(-2)).toEqual(['zone:zone-12.example', 'zone:zone-13.example']);
    expect(leftOut).toEqual(['zone:zone-09.example', 'zone:zone-10.example', 'zone:zone-11.example']);
  });

  test('reports a problem of many zones once, and names a zone that does not exist', async () => {
    await start(['Zone Read', 'Zone WAF Read']);
    await declare('zone-99.example');
    const { code, stdout } = await doctor();
    expect(code).toBe(1);
    expect(flat(stdout)).toContain('10 zones: zone-00.example, zone-01.example, zone-02.example and 7 more');
    expect(stdout.split('✗ write http_ratelimit: may not be written')).toHaveLength(2);
    expect(flat(stdout)).toContain('zone:zone-99.example ✗ scope: no zone that the credentials can see');
    expect(flat(stdout)).toContain('11 problems; 10 not checked (audit log); 4 scopes only looked up.');
  });

  test('reports a phase that the token may not read once', async () => {
    await start(['Zone Read', 'Config Settings Read']);
    const { stdout } = await doctor();
    expect(stdout.split('✗ read http_ratelimit: may not be read')).toHaveLength(2);
    expect(flat(stdout)).toContain('hint: the token needs the permission "Zone WAF" Read');
  });
});
