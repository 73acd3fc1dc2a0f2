import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import Cloudflare4 from 'cloudflare4';
import { describe, expect, onTestFinished, test } from 'vitest';

import { fakeClock, scopeId, startEmulator } from '../../src/emulator/index.ts';
import type { Emulator } from '../../src/emulator/index.ts';

// Third-party clients other than the current official SDK, run unchanged against the emulated service.

async function start(): Promise<Emulator> {
  const emulator = await startEmulator({ budget: 'off', clock: fakeClock() });
  onTestFinished(() => emulator.close());
  return emulator;
}

const phase = 'http_request_firewall_custom';
const block = { action: 'block', expression: 'ip.src eq 192.0.2.1' } as const;

interface Ruleset {
  readonly id: string;
  readonly version: string;
  readonly rules: readonly { readonly id: string; readonly ref: string; readonly enabled: boolean }[];
}

describe('an older major of the official SDK (cloudflare 4)', () => {
  const zone_id = scopeId('zone', 'blog.example');
  const account_id = scopeId('account', 'Example Shop');

  async function client(): Promise<{ readonly sdk: Cloudflare4; readonly emulator: Emulator }> {
    const emulator = await start();
    const sdk = new Cloudflare4({ apiToken: emulator.token, baseURL: emulator.baseUrl, maxRetries: 0 });
    return { sdk, emulator };
  }

  // The answer types of the SDK omit fields that the tests need; its parameter types are used as they are.
  const view = (answer: unknown) => answer as Ruleset;
  const refs = (answer: unknown) => view(answer).rules.map(({ ref }) => ref);

  test('creates, reads, changes, versions and deletes rulesets', async () => {
    const { sdk } = await client();
    const made = view(
      await sdk.rulesets.create({
        zone_id,
        name: 'Mine',
        kind: 'custom',
        phase,
        rules: [{ ...block, ref: 'a' }],
      }),
    );
    expect(await sdk.rulesets.get(made.id, { zone_id })).toEqual(made);
    const added = await sdk.rulesets.rules.create(made.id, {
      zone_id,
      ...block,
      ref: 'b',
      position: { before: '' },
    });
    expect(refs(added)).toEqual(['b', 'a']);
    const [b] = view(added).rules;
    const edited = await sdk.rulesets.rules.edit(made.id, b?.id ?? '', { zone_id, ...block, enabled: false });
    expect(view(edited).rules[0]?.enabled).toBe(false);
    expect(refs(await sdk.rulesets.rules.delete(made.id, b?.id ?? '', { zone_id }))).toEqual(['a']);
    expect(view(await sdk.rulesets.update(made.id, { zone_id, rules: [] })).version).toBe('5');
    const versions = [];
    for await (const { version } of sdk.rulesets.versions.list(made.id, { zone_id })) {
      versions.push(version);
    }
    expect(versions).toEqual(['1', '2', '3', '4', '5']);
    expect(refs(await sdk.rulesets.versions.get(made.id, '2', { zone_id }))).toEqual(['b', 'a']);
    await sdk.rulesets.versions.delete(made.id, '2', { zone_id });
    await sdk.rulesets.delete(made.id, { zone_id });
    await expect(sdk.rulesets.get(made.id, { zone_id })).rejects.toMatchObject({
      status: 404,
      errors: [{ code: 10001 }],
    });
  });

  test('reads all pages of a list', async () => {
    const { sdk, emulator } = await client();
    const ids = [];
    for await (const { id } of sdk.rulesets.list({ account_id, per_page: 4 })) {
      ids.push(id);
    }
    expect(new Set(ids).size).toBe(ids.length);
    const requests: unknown = await (await fetch(`${emulator.controlUrl}/requests`)).json();
    expect(requests).toHaveLength(Math.ceil(ids.length / 4));
  });

  test('reads and writes entry points by phase, and gets the errors of the service', async () => {
    const { sdk } = await client();
    const origin = 'http_request_origin';
    await expect(sdk.rulesets.phases.get(origin, { zone_id })).rejects.toMatchObject({
      status: 404,
      errors: [{ code: 10003 }],
    });
    const made = await sdk.rulesets.phases.update(origin, { zone_id, rules: [] });
    expect(await sdk.rulesets.phases.get(origin, { zone_id })).toEqual(made);
    await expect(
      sdk.rulesets.create({ zone_id, name: 'second', kind: 'zone', phase: origin, rules: [] }),
    ).rejects.toMatchObject({ status: 400, errors: [{ code: 20217 }] });
    const versions = [];
    for await (const { version } of sdk.rulesets.phases.versions.list(origin, { zone_id })) {
      versions.push(version);
    }
    expect(versions).toEqual(['1']);
  });

  test('changes a list and polls its bulk operation', async () => {
    const { sdk, emulator } = await client();
    const { id = '' } = await sdk.rules.lists.create({ account_id, name: 'mine', kind: 'ip' });
    const { operation_id = '' } = await sdk.rules.lists.items.create(id, {
      account_id,
      body: [{ ip: '192.0.2.1' }],
    });
    expect(await sdk.rules.lists.bulkOperations.get(operation_id, { account_id })).toMatchObject({
      status: 'pending',
    });
    await fetch(`${emulator.controlUrl}/clock`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"advance_seconds": 1}',
    });
    expect(await sdk.rules.lists.bulkOperations.get(operation_id, { account_id })).toMatchObject({
      status: 'completed',
    });
    const items = [];
    for await (const item of sdk.rules.lists.items.list(id, { account_id })) {
      items.push(item.ip);
    }
    expect(items).toEqual(['192.0.2.1']);
    expect(await sdk.rules.lists.delete(id, { account_id })).toEqual({ id });
  });
});

const PYTHON = '/usr/bin/python3';
const installed = spawnSync(PYTHON, ['-c', 'import CloudFlare'], { stdio: 'ignore' }).status === 0;

describe.skipIf(!installed)(
  `Debian's python3-cloudflare${installed ? '' : ' (skipped: the package is not installed)'}`,
  () => {
    test('walks rulesets, filters, firewall rules and the old WAF', async () => {
      const emulator = await start();
      const script = join(import.meta.dirname, 'clients', 'walk.py');
      const { stdout } = await promisify(execFile)(PYTHON, [
        script,
        emulator.baseUrl,
        emulator.token,
        'blog.example',
      ]);
      expect(JSON.parse(stdout)).toEqual({
        made: ['custom', '1', ['first']],
        listed: true,
        added: ['second', 'first'],
        edited: false,
        left: ['first'],
        put: ['New', '5'],
        versions: ['1', '2', '3', '4', '5'],
        'entry point': ['zone', 'http_request_origin', '1'],
        'entry point again': true,
        missing: [10003, 'could not find entrypoint ruleset in the http_request_sanitize phase'],
        deleted: 10001,
        // The number that the library itself gives an error without a code.
        'unknown field': [99998, 'invalid JSON: unknown field "rulez"'],
        filter: 'ip.src eq 192.0.2.7',
        'firewall rule': ['block', true],
        'firewall rule changed': 'challenge',
        'firewall rules listed': true,
        'firewall rule gone': true,
        'one call': 'ip.src eq 192.0.2.9',
        packages: ['anomaly', 'traditional'],
        'group off': 'off',
        'waf rules': true,
      });
    });
  },
);
