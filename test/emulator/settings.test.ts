import Cloudflare from 'cloudflare';
import { describe, expect, onTestFinished, test } from 'vitest';

import { scopeId, startEmulator } from '../../src/emulator/index.ts';
import { account, refusalOf, shop, startBench } from './bench.ts';

const zone_id = scopeId('zone', 'shop.example');
const account_id = scopeId('account', 'Example Shop');

async function sdk(): Promise<Cloudflare> {
  const emulator = await startEmulator({ budget: 'off' });
  onTestFinished(() => emulator.close());
  return new Cloudflare({ apiToken: emulator.token, baseURL: emulator.baseUrl, maxRetries: 0 });
}

describe('zone settings', () => {
  test.each<[name: string, before: unknown, after: unknown]>([
    ['ssl', 'full', 'strict'],
    ['min_tls_version', '1.0', '1.2'],
    ['browser_check', 'on', 'off'],
    ['challenge_ttl', 1800, 300],
    ['always_use_https', 'off', 'on'],
    ['http2', 'on', 'off'],
    ['http3', 'on', 'off'],
    ['polish', 'off', 'lossy'],
    ['browser_cache_ttl', 14_400, 0],
    ['nel', { enabled: false }, { enabled: true }],
    ['ciphers', [], ['ECDHE-RSA-AES128-GCM-SHA256']],
    ['true_client_ip_header', 'off', 'on'],
    ['0rtt', 'off', 'on'],
    ['aegis', { enabled: false }, { enabled: true, pool_id: 'pool' }],
    ['transformations_allowed_origins', '', 'images.example'],
  ])('%s is %j, and %j when that was written', async (name, before, after) => {
    const client = await sdk();
    const untouched = { id: name, value: before, editable: true, modified_on: null };
    expect(await client.zones.settings.get(name, { zone_id })).toEqual(untouched);
    const written = await client.zones.settings.edit(name, { zone_id, value: after as 'on' });
    expect(written).toMatchObject({ id: name, value: after, modified_on: expect.any(String) as string });
    expect(await client.zones.settings.get(name, { zone_id })).toEqual(written);
  });

  test('a part of a setting leaves its other parts', async () => {
    const bench = await startBench();
    const path = `${shop}/settings/security_header`;
    await bench.ok('PATCH', path, { value: { strict_transport_security: { enabled: true } } });
    await bench.ok('PATCH', path, { value: { strict_transport_security: { max_age: 86_400 } } });
    expect(await bench.ok('GET', path)).toMatchObject({
      value: { strict_transport_security: { enabled: true, max_age: 86_400, nosniff: false } },
    });
  });

  test.each<[name: string, value: unknown]>([
    ['ssl', 'sometimes'],
    ['min_tls_version', 1.2],
    ['challenge_ttl', 301],
    ['ciphers', 'AES'],
    ['nel', { enabled: 'yes' }],
    ['advanced_ddos', 'off'],
    ['constructor', 'on'],
    ['__proto__', {}],
  ])('%s refuses %j', async (name, value) => {
    const bench = await startBench();
    expect((await bench.call('PATCH', `${shop}/settings/${name}`, { value })).status).toBe(400);
  });
});

describe('documents', () => {
  test('URL normalization is replaced, and deleted to its default', async () => {
    const client = await sdk();
    const standard = { scope: 'incoming', type: 'cloudflare' };
    expect(await client.urlNormalization.get({ zone_id })).toEqual(standard);
    const wanted = { scope: 'both', type: 'rfc3986' } as const;
    expect(await client.urlNormalization.update({ zone_id, ...wanted })).toEqual(wanted);
    expect(await client.urlNormalization.get({ zone_id })).toEqual(wanted);
    await client.urlNormalization.delete({ zone_id });
    expect(await client.urlNormalization.get({ zone_id })).toEqual(standard);
  });

  test('managed transforms are switched by id, and say which are in conflict', async () => {
    const client = await sdk();
    await client.managedTransforms.edit({
      zone_id,
      managed_request_headers: [
        { id: 'remove_visitor_ip_headers', enabled: true },
        { id: 'add_true_client_ip_headers', enabled: true },
      ],
      managed_response_headers: [],
    });
    const { managed_request_headers, managed_response_headers } = await client.managedTransforms.list({
      zone_id,
    });
    const on = managed_request_headers.filter(({ enabled }) => enabled);
    expect(on.map(({ id, has_conflict }) => [id, has_conflict])).toEqual([
      ['add_true_client_ip_headers', true],
      ['remove_visitor_ip_headers', true],
    ]);
    expect(managed_response_headers.every(({ enabled }) => !enabled)).toBe(true);
    const bench = await startBench();
    const body = { managed_request_headers: [{ id: 'toString', enabled: true }] };
    expect(refusalOf(await bench.call('PATCH', `${shop}/managed_headers`, body)).status).toBe(400);
  });

  test('bot management, leaked credential checks and page shield keep what is written', async () => {
    const client = await sdk();
    await client.botManagement.update({ zone_id, enable_js: true });
    expect(await client.botManagement.get({ zone_id })).toMatchObject({ enable_js: true, fight_mode: false });
    expect(await client.leakedCredentialChecks.get({ zone_id })).toEqual({ enabled: false });
    expect(await client.leakedCredentialChecks.create({ zone_id, enabled: true })).toEqual({ enabled: true });
    const { id = '' } = await client.leakedCredentialChecks.detections.create({ zone_id, username: 'a' });
    expect(await client.leakedCredentialChecks.detections.get(id, { zone_id })).toEqual({
      id,
      username: 'a',
    });
    const shield = await client.pageShield.update({ zone_id, enabled: true });
    expect(shield).toMatchObject({ enabled: true, use_cloudflare_reporting_endpoint: true });
    expect(await client.pageShield.get({ zone_id })).toEqual(shield);
  });

  test.each([
    ['url_normalization', 'PUT', { scope: 'both' }],
    ['url_normalization', 'PATCH', {}],
    ['bot_management', 'PUT', { sbfm_verified_bots: 'maybe' }],
    ['leaked-credential-checks', 'POST', { enabled: 1 }],
    ['page_shield', 'PUT', { on: true }],
    ['managed_headers', 'PATCH', {}],
  ])('%s refuses %s %j', async (path, method, body) => {
    const bench = await startBench();
    const { status } = await bench.call(method, `${shop}/${path}`, body);
    expect([400, 405]).toContain(status);
  });
});

describe('access rules', () => {
  const body = { mode: 'block', configuration: { target: 'ip', value: '192.0.2.1' } } as const;

  test('are made, changed, found and deleted; those of zone, account and user are apart', async () => {
    const client = await sdk();
    const rules = client.firewall.accessRules;
    const ofZone = await rules.create({ zone_id, ...body, notes: 'Scanner' });
    const ofAccount = await rules.create({ account_id, ...body });
    expect([ofZone.scope?.type, ofAccount.scope?.type]).toEqual(['zone', 'organization']);
    const edited = await rules.edit(ofZone.id, { zone_id, ...body, mode: 'challenge' });
    expect(edited).toMatchObject({ mode: 'challenge', notes: 'Scanner', created_on: ofZone.created_on });
    await rules.create({ zone_id, mode: 'whitelist', configuration: { target: 'asn', value: 'AS64500' } });
    expect((await rules.list({ zone_id, mode: 'challenge' })).result).toEqual([edited]);
    expect((await rules.list({ zone_id, configuration: { target: 'asn' } })).result).toHaveLength(1);
    await expect(rules.get(ofZone.id, { account_id })).rejects.toMatchObject({ status: 404 });
    expect(await rules.delete(ofZone.id, { zone_id })).toEqual({ id: ofZone.id });
    expect((await rules.list({ account_id })).result).toHaveLength(1);
  });

  test.each([
    [{ ...body, mode: 'allow' }],
    [{ ...body, configuration: { target: 'ip', value: '192.0.2.0/24' } }],
    [{ ...body, configuration: { target: 'ip_range', value: '192.0.2.0/23' } }],
    [{ ...body, configuration: { target: 'country', value: 'Atlantis' } }],
    [{ ...body, configuration: { target: 'constructor', value: 'a' } }],
    [{ mode: 'block' }],
  ])('%j is refused', async (wrong) => {
    const bench = await startBench();
    expect((await bench.call('POST', `${account}/firewall/access_rules/rules`, wrong)).status).toBe(400);
  });

  test('exist once for a target and value, and need their permission', async () => {
    const token = 'reader'.padEnd(40, '0');
    const tokens = { [token]: [{ permissions: ['Firewall Services Read'], resources: ['*'] }] };
    const bench = await startBench({
      seed: { version: 1, tokens, accounts: [{ name: 'Example Shop' }], zones: [{ name: 'shop.example' }] },
    });
    const path = `${shop}/firewall/access_rules/rules`;
    await bench.ok('POST', path, body);
    expect(refusalOf(await bench.call('POST', path, body))).toMatchObject({ status: 400, code: 10009 });
    const as = { authorization: `Bearer ${token}` };
    expect((await bench.call('GET', path, undefined, as)).status).toBe(200);
    expect((await bench.call('POST', path, body, as)).status).toBe(403);
    expect((await bench.call('GET', '/user/firewall/access_rules/rules', undefined, as)).status).toBe(403);
  });
});

describe('DNS records by data', () => {
  test.each<[type: string, data: Readonly<Record<string, string | number>>, content: string]>([
    ['CAA', { flags: 0, tag: 'issue', value: 'ca.example' }, '0 issue "ca.example"'],
    ['HTTPS', { priority: 1, target: '.', value: 'alpn="h3,h2"' }, '1 . alpn="h3,h2"'],
    ['SVCB', { priority: 2, target: 'svc.example', value: 'port="8443"' }, '2 svc.example port="8443"'],
    [
      'LOC',
      {
        lat_degrees: 37,
        lat_minutes: 46,
        lat_seconds: 46,
        lat_direction: 'N',
        long_degrees: 122,
        long_minutes: 23,
        long_seconds: 35,
        long_direction: 'W',
        altitude: 0,
        size: 100,
      },
      '37 46 46 N 122 23 35 W 0m 100m 0m 0m',
    ],
    ['SRV', { priority: 1, weight: 2, port: 5060, target: 'sip.example' }, '2 5060 sip.example'],
    [
      'NAPTR',
      { order: 1, preference: 2, flags: 'S', service: 'SIP+D2U', regex: '', replacement: 'a.example' },
      '1 2 "S" "SIP+D2U" "" a.example',
    ],
  ])('%s', async (type, data, content) => {
    const bench = await startBench();
    const records = `${shop}/dns_records`;
    const made = await bench.ok<{ readonly id: string }>('POST', records, {
      type,
      name: '_x._tcp',
      data,
      ttl: 300,
    });
    expect(made).toMatchObject({ type, name: '_x._tcp.shop.example', data, content });
    expect(await bench.ok('PATCH', `${records}/${made.id}`, { comment: 'c' })).toMatchObject({
      data,
      content,
      comment: 'c',
    });
    const [field = ''] = Object.keys(data)
      .filter((key) => key !== 'priority' || type !== 'SRV')
      .slice(-1);
    const { [field]: _, ...less } = data;
    const required = !['size'].includes(field);
    expect((await bench.call('POST', records, { type, name: 'y', data: less })).status).toBe(
      required ? 400 : 200,
    );
  });
});
