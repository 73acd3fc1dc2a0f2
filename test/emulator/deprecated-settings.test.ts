import { describe, expect, test } from 'vitest';

import { entryPoint, refusalOf, startBench } from './bench.ts';
import type { Bench } from './bench.ts';
import { corpusFiles, corpusFolder, WITHOUT_CORPUS } from './corpus-folder.ts';
import { oldZone, zone } from './migration-zone.ts';
import { scopeId } from '../../src/emulator/index.ts';

const account = `/accounts/${scopeId('account', 'A')}`;
const DNS = `${zone}/dns_settings`;

async function at(date: string): Promise<Bench> {
  const bench = await startBench({ seed: oldZone() });
  await bench.control('PUT', '/clock', { now: `${date}T00:00:00Z` });
  return bench;
}

const setting = (name: string) => `${zone}/settings/${name}`;
const value = async (bench: Bench, path: string) =>
  (await bench.ok<{ readonly value: unknown }>('GET', path)).value;

describe('specification 9, settings that are deprecated and still answer', () => {
  test.each([
    ['brotli', '2024-08-15', 'off'],
    ['minify', '2024-08-05', { css: 'on', html: 'off', js: 'on' }],
    ['mobile_redirect', '2024-06-30', { status: 'on', mobile_subdomain: 'm', strip_uri: true }],
    ['server_side_exclude', '2024-06-14', 'off'],
    ['cname_flattening', '2025-06-08', 'on'],
  ])('row "%s" (%s): GET and PATCH before and after', async (name, date, next) => {
    for (const day of ['2020-01-01', date, '2026-01-01']) {
      const bench = await at(day);
      expect(await bench.ok('GET', setting(name))).toMatchObject({
        id: name,
        editable: true,
        modified_on: null,
      });
      expect(await bench.ok('PATCH', setting(name), { value: next })).toMatchObject({
        id: name,
        value: next,
      });
      expect(await value(bench, setting(name))).toEqual(next);
    }
  });

  test.each([
    ['brotli', 'maybe'],
    ['brotli', { css: 'on' }],
    ['minify', 'on'],
    ['cname_flattening', 'flatten'],
    ['nothing', 'on'],
  ])('the setting %s refuses %j', async (name, wrong) => {
    const bench = await at('2026-01-01');
    const before = bench.service.store.content();
    expect((await bench.call('PATCH', setting(name), { value: wrong })).status).toBe(400);
    expect(bench.service.store.content()).toEqual(before);
  });
});

describe('specification 9 row "Legacy anonymous-token zone setting"', () => {
  test('answers GET and POST until 2024-03-31 and is gone then', async () => {
    const bench = await at('2024-03-30');
    expect(await bench.ok('POST', setting('privacy_pass'), { value: 'off' })).toMatchObject({ value: 'off' });
    expect(await value(bench, setting('privacy_pass'))).toBe('off');
    await bench.control('PUT', '/clock', { now: '2024-03-31T00:00:00Z' });
    expect((await bench.call('GET', setting('privacy_pass'))).status).toBe(410);
    expect((await bench.call('POST', setting('privacy_pass'), { value: 'on' })).status).toBe(410);
  });
});

describe('specification 9 row "Zone setting cname_flattening": old and new are kept in sync', () => {
  test.each([
    ['off', false],
    ['apex', false],
    ['on', true],
  ])('old value %s equals flatten_all_cnames %s', async (old, flatten_all_cnames) => {
    const bench = await at('2026-01-01');
    await bench.ok('PATCH', setting('cname_flattening'), { value: old });
    expect(await bench.ok('GET', DNS)).toMatchObject({ flatten_all_cnames });
    expect(await value(bench, setting('cname_flattening'))).toBe(old);
  });

  test('a change of the DNS settings shows in the old setting, in its own endpoint and in the batch', async () => {
    const bench = await at('2026-01-01');
    await bench.ok('PATCH', setting('cname_flattening'), { value: 'off' });
    await bench.ok('PATCH', DNS, { flatten_all_cnames: true });
    expect(await value(bench, setting('cname_flattening'))).toBe('on');
    const all = await bench.ok<readonly { readonly id: string }[]>('GET', `${zone}/settings`);
    expect(all.find(({ id }) => id === 'cname_flattening')).toMatchObject({ value: 'on' });
    await bench.ok('PATCH', DNS, { flatten_all_cnames: false });
    expect(await value(bench, setting('cname_flattening'))).toBe('off');
    await bench.ok('PATCH', `${zone}/settings`, { items: [{ id: 'cname_flattening', value: 'on' }] });
    expect(await bench.ok('GET', DNS)).toMatchObject({ flatten_all_cnames: true });
  });

  test('flatten_all_cnames false after the old value on shows as apex', async () => {
    const bench = await at('2026-01-01');
    await bench.ok('PATCH', setting('cname_flattening'), { value: 'on' });
    await bench.ok('PATCH', DNS, { flatten_all_cnames: false });
    expect(await value(bench, setting('cname_flattening'))).toBe('apex');
  });
});

describe('specification 9 row "DNS settings endpoints": old and new are kept in sync', () => {
  test.each([
    ['use_apex_ns', 'multi_provider'],
    ['secondary_overrides', 'secondary_overrides'],
  ])('%s mirrors %s', async (old, field) => {
    for (const day of ['2024-09-12', '2026-01-01']) {
      const bench = await at(day);
      expect(await value(bench, `${DNS}/${old}`)).toBe('off');
      await bench.ok('PATCH', DNS, { [field]: true });
      expect(await value(bench, `${DNS}/${old}`)).toBe('on');
      expect(await bench.ok('PATCH', `${DNS}/${old}`, { value: 'off' })).toMatchObject({
        id: old,
        value: 'off',
      });
      expect(await bench.ok('GET', DNS)).toMatchObject({ [field]: false });
      expect((await bench.call('PATCH', `${DNS}/${old}`, { value: true })).status).toBe(400);
    }
  });
});

describe('specification 9 row "Account settings fields default_nameservers, use_account_custom_ns_by_default"', () => {
  const settings = async (bench: Bench) =>
    (await bench.ok<{ readonly settings: unknown }>('GET', account)).settings;

  test.each(['cloudflare.standard', 'cloudflare.standard.random', 'custom.account', 'custom.tenant'])(
    '%s: the account and the DNS settings say the same',
    async (type) => {
      const bench = await at('2026-01-01');
      await bench.ok('PUT', account, { name: 'A', settings: { default_nameservers: type } });
      expect(await bench.ok('GET', `${account}/dns_settings`)).toMatchObject({
        zone_defaults: { nameservers: { type } },
      });
      await bench.ok('PATCH', `${account}/dns_settings`, {
        zone_defaults: { nameservers: { type: 'cloudflare.standard' } },
      });
      expect(await settings(bench)).toMatchObject({ default_nameservers: 'cloudflare.standard' });
      await bench.ok('PATCH', `${account}/dns_settings`, { zone_defaults: { nameservers: { type } } });
      expect(await settings(bench)).toMatchObject({
        default_nameservers: type,
        use_account_custom_ns_by_default: type === 'custom.account',
      });
    },
  );

  test.each([
    [true, 'custom.account'],
    [false, 'cloudflare.standard'],
  ])('use_account_custom_ns_by_default %s means %s', async (flag, type) => {
    const bench = await at('2026-01-01');
    await bench.ok('PUT', account, { name: 'A', settings: { use_account_custom_ns_by_default: flag } });
    expect(await settings(bench)).toMatchObject({ default_nameservers: type });
  });

  test('POST and the list have the fields too; PUT can rename', async () => {
    const bench = await at('2025-01-01');
    const made = await bench.ok<{ readonly id: string }>('POST', '/accounts', {
      name: 'B',
      settings: { default_nameservers: 'custom.tenant' },
    });
    expect(made).toMatchObject({ name: 'B', settings: { default_nameservers: 'custom.tenant' } });
    expect(await bench.ok('GET', '/accounts')).toContainEqual(made);
    expect(await bench.ok('PUT', `/accounts/${made.id}`, { name: 'C' })).toMatchObject({
      name: 'C',
      settings: { default_nameservers: 'custom.tenant' },
    });
    expect(
      (await bench.call('PUT', account, { name: 'A', settings: { default_nameservers: 'x' } })).status,
    ).toBe(400);
  });

  test('a token with Account Settings Write can change an account but not create one', async () => {
    const value = 'small'.padEnd(40, '0');
    const tokens = { [value]: [{ permissions: ['Account Settings Write'], resources: ['*'] }] };
    const bench = await startBench({ seed: { ...(oldZone() as object), tokens } });
    const as = { authorization: `Bearer ${value}` };
    expect((await bench.call('POST', '/accounts', { name: 'B' }, as)).status).toBe(403);
    expect((await bench.call('PUT', account, { name: 'B' }, as)).status).toBe(200);
  });
});

describe('api.md 12.1, settings', () => {
  test('row "zone settings batch": GET and PATCH of all settings are gone from 2026-09-15', async () => {
    const bench = await at('2026-09-14');
    const items = [
      { id: 'brotli', value: 'off' },
      { id: 'server_side_exclude', value: 'off' },
    ];
    expect(await bench.ok('PATCH', `${zone}/settings`, { items })).toEqual(
      await bench.ok('GET', `${zone}/settings`),
    );
    const wrong = {
      items: [
        { id: 'brotli', value: 'on' },
        { id: 'minify', value: 1 },
      ],
    };
    expect((await bench.call('PATCH', `${zone}/settings`, wrong)).status).toBe(400);
    expect(await value(bench, setting('brotli'))).toBe('off');
    await bench.control('PUT', '/clock', { now: '2026-09-15T00:00:00Z' });
    expect((await bench.call('GET', `${zone}/settings`)).status).toBe(410);
    expect(refusalOf(await bench.call('PATCH', `${zone}/settings`, { items })).message).toContain(
      '2026-09-15',
    );
    expect(await value(bench, setting('brotli'))).toBe('off');
  });

  test('row "Mirage": setting and set_config parameter are gone from 2026-01-01', async () => {
    const bench = await at('2025-12-31');
    const path = entryPoint(zone, 'http_config_settings');
    const rule = { ref: 'm', action: 'set_config', expression: 'ssl', action_parameters: { mirage: true } };
    await bench.ok('PATCH', setting('mirage'), { value: 'on' });
    const { rules, id } = await bench.ok('PUT', path, { rules: [rule] });
    await bench.control('PUT', '/clock', { now: '2026-01-01T00:00:00Z' });
    expect((await bench.call('GET', setting('mirage'))).status).toBe(410);
    for (const [method, at, body] of [
      ['PUT', path, { rules: [rule] }],
      ['POST', `${zone}/rulesets/${id}/rules`, { ...rule, ref: 'n' }],
    ] as const) {
      expect(refusalOf(await bench.call(method, at, body))).toMatchObject({
        status: 400,
        message: 'invalid JSON: unknown field "mirage"',
      });
    }
    // An entry with only an id keeps the existing rule.
    await bench.ok('PUT', path, { rules: [{ id: rules?.[0]?.id }] });
  });

  test('row "security level": graded levels have no effect from 2025-03-17', async () => {
    const bench = await at('2025-03-16');
    expect(await bench.ok('PATCH', setting('security_level'), { value: 'high' })).toMatchObject({
      value: 'high',
    });
    await bench.control('PUT', '/clock', { now: '2025-03-17T00:00:00Z' });
    expect(await bench.ok('PATCH', setting('security_level'), { value: 'low' })).toMatchObject({
      value: 'high',
    });
    expect(await bench.ok('PATCH', setting('security_level'), { value: 'under_attack' })).toMatchObject({
      value: 'under_attack',
    });
  });
});

test('settings, DNS settings and DNS records need their permissions', async () => {
  const token = (name: string) => name.padEnd(40, '0');
  const tokens = {
    [token('reader')]: [{ permissions: ['Zone Settings Read'], resources: ['*'] }],
    [token('dns')]: [{ permissions: ['DNS Read'], resources: ['*'] }],
  };
  const bench = await startBench({ seed: { ...(oldZone() as object), tokens } });
  const as = (name: string) => ({ authorization: `Bearer ${token(name)}` });
  const status = async (name: string, method: string, path: string, body?: unknown) =>
    (await bench.call(method, path, body, as(name))).status;
  expect(await status('reader', 'GET', setting('brotli'))).toBe(200);
  expect(await status('reader', 'PATCH', setting('brotli'), { value: 'on' })).toBe(403);
  expect(await status('reader', 'GET', DNS)).toBe(403);
  expect(await status('dns', 'GET', DNS)).toBe(200);
  expect(await status('dns', 'PATCH', DNS, { multi_provider: true })).toBe(403);
  expect(await status('dns', 'GET', `${zone}/dns_records`)).toBe(200);
  expect(await status('dns', 'POST', `${zone}/dns_records`, {})).toBe(403);
});

describe.skipIf(corpusFolder === undefined)(`recorded zone settings (${WITHOUT_CORPUS})`, () => {
  const recorded = corpusFiles('samples/recorded-legacy').filter(([name]) =>
    name.startsWith('v5-zone-setting'),
  );

  test.each(recorded)('%s has the keys of our answer', async (_, sample) => {
    const { result, ...envelope } = sample as { readonly result: object };
    const bench = await at('2026-01-01');
    const reply = await bench.call<object>('GET', setting('brotli'));
    expect(Object.keys(reply.body.result).sort()).toEqual(Object.keys(result).sort());
    expect(Object.keys(reply.body).sort()).toEqual([...Object.keys(envelope), 'result'].sort());
  });
});
