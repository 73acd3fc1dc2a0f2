import { describe, expect, test } from 'vitest';
import { latest } from '../../src/emulator/records/ruleset-record.ts';
import { wafPackages } from '../../src/emulator/waf/waf-catalogue.ts';
import { entryPoint, startBench } from './bench.ts';
import {
  bypass,
  CHECK,
  executeRule,
  CMR,
  CONFIG,
  CORE,
  MANAGED,
  migration,
  oldZone,
  OWASP,
  pageRule,
  zone,
} from './migration-zone.ts';
import type { Configuration } from './migration-zone.ts';

const SCORE_RULE = '6179ae15870a4bb7b2d480d4843b323c';
const STRUTS = '23ee7cebe6e8443e99ecf932ab579455';

async function configOf(members: Readonly<Record<string, unknown>>): Promise<Configuration> {
  const bench = await startBench({ seed: oldZone(members) });
  const config = await bench.ok<Configuration>('GET', CONFIG);
  // Every generated configuration can be deployed.
  await bench.ok('PUT', migration('pending'), config);
  return config;
}

const disabled = (...levels: readonly number[]) =>
  levels.map((level) => ({ category: `paranoia-level-${level}`, enabled: false }));

describe('specification 3.3, the core ruleset', () => {
  test.each([
    ['High', { [CORE]: { sensitivity: 'high' } }, 'PL2', [3, 4], 40],
    ['Medium', { [CORE]: { sensitivity: 'medium' } }, 'PL1', [2, 3, 4], 25],
    ['Low', { [CORE]: { sensitivity: 'low' } }, 'PL1', [2, 3, 4], 40],
    ['Default', {}, 'PL2', [3, 4], 40],
  ])('table: old sensitivity %s', async (_, packages, level, off, threshold) => {
    const { rules } = await configOf({ waf: { packages } });
    expect(rules.map((rule) => rule.action_parameters.id)).toEqual([CMR, OWASP]);
    expect([level, rules[1]?.action_parameters.overrides]).toEqual([
      level,
      {
        categories: disabled(...off),
        rules: [{ id: SCORE_RULE, action: 'challenge', score_threshold: threshold }],
      },
    ]);
  });

  test.each([
    ['simulate', 'log'],
    ['challenge', 'challenge'],
    ['block', 'block'],
  ])('actions: %s becomes %s', async (action_mode, action) => {
    const { rules } = await configOf({ waf: { packages: { [CORE]: { action_mode } } } });
    expect(rules[1]?.action_parameters.overrides?.rules?.[0]).toMatchObject({ action });
  });

  test('not migrated: group and rule overrides of the core ruleset', async () => {
    const untouched = await configOf({});
    const touched = await configOf({
      waf: { groups: { 'OWASP XSS Attacks': 'off' }, rules: { '950901': 'off', '958001': 'off' } },
    });
    expect(touched).toEqual(untouched);
  });

  test('a core ruleset that is off is not deployed (api.md 10.3)', async () => {
    const { rules } = await configOf({ waf: { packages: { [CORE]: { sensitivity: 'off' } } } });
    expect(rules.map((rule) => rule.action_parameters.id)).toEqual([CMR]);
  });
});

describe('specification 3.3 and api.md 10.3, the managed ruleset', () => {
  test('untouched: deployed without overrides, every rule nameless', async () => {
    const { name, rules } = await configOf({});
    expect(name).toBe('default');
    expect(rules[0]).toEqual(executeRule(CMR));
  });

  test.each([
    ['disable', { action: 'log', enabled: false }],
    ['simulate', { action: 'log', enabled: true }],
    ['block', { action: 'block', enabled: true }],
    ['challenge', { action: 'challenge', enabled: true }],
  ])('a rule set to %s becomes %j', async (mode, override) => {
    const { rules } = await configOf({ waf: { rules: { '100007': mode } } });
    expect(rules[0]?.action_parameters.overrides).toEqual({ rules: [{ id: STRUTS, ...override }] });
  });

  test('a rule that is off by default gets no action when it is disabled', async () => {
    const { rules } = await configOf({ waf: { rules: { '100015': 'disable' } } });
    expect(rules[0]?.action_parameters.overrides?.rules).toEqual([
      { id: 'ae20608d93b94e97988db1bbc12cf9c8', enabled: false },
    ]);
  });

  test('a group that is off switches its rules off, whatever their modes', async () => {
    const { rules } = await configOf({
      waf: { groups: { 'Cloudflare Apache': 'off' }, rules: { '100007': 'block' } },
    });
    expect(rules[0]?.action_parameters.overrides?.rules).toEqual([{ id: STRUTS, enabled: false }]);
  });

  test('rules that allow have no counterpart in the managed ruleset', async () => {
    const { rules } = await configOf({ waf: { rules: { '100001': 'off' } } });
    expect(rules[0]?.action_parameters.overrides).toBeUndefined();
  });

  test('every traditional rule that denies has a counterpart in the managed ruleset', async () => {
    const bench = await startBench();
    const managed = bench.service.store.rulesets.get(CMR);
    const known =
      managed === undefined ? [] : latest(managed).rules.map((rule) => rule.definition.description);
    const old = wafPackages.flatMap((each) => each.rules).filter(({ row }) => row.kind === 'deny');
    expect(old.length).toBeGreaterThan(5);
    expect(old.map(({ row }) => row.description).filter((text) => !known.includes(text))).toEqual([]);
  });

  test('the old WAF switched off gives disabled rules (no global switch: each ruleset is deployed by itself)', async () => {
    const { rules } = await configOf({ waf: { enabled: false } });
    expect(rules.map((rule) => [rule.action_parameters.id, rule.enabled])).toEqual([
      [CMR, false],
      [OWASP, false],
    ]);
  });
});

describe('specification 3.3, what is carried over as exceptions', () => {
  const two_lists = { firewall: { rules: 'two_lists' } };

  test('firewall rules that bypass the managed rules become skip rules before the execute rules', async () => {
    const { rules } = await configOf({
      ...two_lists,
      firewall_rules: [
        bypass('ip.src eq 192.0.2.1'),
        bypass('ip.src eq 192.0.2.2', { products: ['rateLimit'] }),
        bypass('ip.src eq 192.0.2.3', { paused: true }),
        bypass('ip.src eq 192.0.2.4', { products: ['bic', 'waf'] }),
      ],
    });
    expect(rules.map((rule) => [rule.action, rule.expression])).toEqual([
      ['skip', 'ip.src eq 192.0.2.1'],
      ['skip', 'ip.src eq 192.0.2.4'],
      ['execute', 'true'],
      ['execute', 'true'],
    ]);
    expect(rules[0]?.action_parameters).toEqual({ ruleset: 'current' });
  });

  test('firewall rules of a zone with one list become skip rules, too', async () => {
    const bench = await startBench({ seed: oldZone() });
    await bench.ok('POST', `${zone}/firewall/rules`, [bypass('ip.src eq 192.0.2.1')]);
    const { rules } = await bench.ok<Configuration>('GET', CONFIG);
    expect(rules[0]).toMatchObject({ action: 'skip', expression: 'ip.src eq 192.0.2.1' });
  });

  test.each([
    ['disable security', [{ id: 'disable_security' }]],
    ['the WAF off', [{ id: 'waf', value: 'off' }]],
  ])('page rules with %s become skip rules for their URLs', async (_, actions) => {
    const { rules } = await configOf({ page_rules: [pageRule('old.example/shop*', actions, 1)] });
    expect(rules.map((rule) => [rule.action, rule.expression])).toEqual([
      ['skip', '(http.request.full_uri wildcard "http*://old.example/shop*")'],
      ['execute', 'true'],
      ['execute', 'true'],
    ]);
  });

  test('page rules with the WAF on exclude their URLs from weaker page rules with the WAF off', async () => {
    const { rules } = await configOf({
      page_rules: [
        pageRule('old.example/*', [{ id: 'waf', value: 'off' }], 1),
        pageRule('https://old.example/pay/*', [{ id: 'waf', value: 'on' }], 2),
      ],
    });
    expect(rules[0]?.expression).toBe(
      '(http.request.full_uri wildcard "http*://old.example/*") and not (http.request.full_uri wildcard "https://old.example/pay/*")',
    );
    expect(rules.map((rule) => rule.action)).toEqual(['skip', 'execute', 'execute']);
  });

  test('page rules with the WAF on exclude nothing from stronger page rules with the WAF off', async () => {
    const { rules } = await configOf({
      page_rules: [
        pageRule('old.example/pay/*', [{ id: 'waf', value: 'on' }], 1),
        pageRule('old.example/*', [{ id: 'waf', value: 'off' }], 2),
      ],
    });
    expect(rules[0]?.expression).toBe('(http.request.full_uri wildcard "http*://old.example/*")');
  });

  test('with the whole old WAF off, the managed rules run for the URLs of page rules with the WAF on', async () => {
    const { rules } = await configOf({
      waf: { enabled: false },
      page_rules: [pageRule('old.example/pay/*', [{ id: 'waf', value: 'on' }], 1)],
    });
    expect(rules.map((rule) => [rule.enabled, rule.expression])).toEqual([
      [true, '(http.request.full_uri wildcard "http*://old.example/pay/*")'],
      [true, '(http.request.full_uri wildcard "http*://old.example/pay/*")'],
    ]);
  });

  test('page rules that are not active or say nothing about the WAF are left out', async () => {
    const { rules } = await configOf({
      page_rules: [
        { ...pageRule('old.example/a*', [{ id: 'waf', value: 'off' }], 1), status: 'disabled' },
        pageRule('old.example/b*', [{ id: 'ssl', value: 'full' }], 2),
      ],
    });
    expect(rules.map((rule) => rule.action)).toEqual(['execute', 'execute']);
  });

  test('after the migration a page rule has no effect on the managed rules: exceptions stay as they are', async () => {
    const bench = await startBench({ seed: oldZone() });
    await bench.ok('PUT', migration('pending'), await bench.ok('GET', CONFIG));
    const before = await bench.ok('GET', entryPoint(zone, MANAGED));
    await bench.ok('POST', `${zone}/pagerules`, pageRule('old.example/*', [{ id: 'waf', value: 'off' }], 1));
    expect(await bench.ok('GET', entryPoint(zone, MANAGED))).toEqual(before);
    expect(await bench.ok('GET', `${zone}/waf_migration/status`)).toMatchObject({
      new_waf_status: 'enabled',
    });
  });

  test('the old switch of the zone works before the migration and is refused after it (api.md 10.2)', async () => {
    const bench = await startBench({ seed: oldZone() });
    const setting = `${zone}/settings/waf`;
    expect(await bench.ok('PATCH', setting, { value: 'off' })).toMatchObject({ id: 'waf', value: 'off' });
    expect((await bench.ok<Configuration>('GET', CONFIG)).rules[0]?.enabled).toBe(false);
    await bench.ok('PUT', migration('pending'), await bench.ok('GET', CONFIG));
    expect((await bench.call('PATCH', setting, { value: 'on' })).status).toBe(400);
    expect(await bench.ok('GET', setting)).toMatchObject({ value: 'off' });
  });
});

test('the configuration follows what is changed through the old interface', async () => {
  const bench = await startBench({ seed: oldZone() });
  const [cloudflare, core] = wafPackages;
  const rule = `${zone}/firewall/waf/packages/${cloudflare?.id}/rules/100007`;
  await bench.ok('PATCH', rule, { mode: 'block' });
  await bench.ok('PATCH', `${zone}/firewall/waf/packages/${core?.id}`, { sensitivity: 'low' });
  const { rules } = await bench.ok<Configuration>('GET', CONFIG);
  expect(rules.map((each) => each.action_parameters.overrides?.rules?.[0])).toEqual([
    { id: STRUTS, action: 'block', enabled: true },
    { id: SCORE_RULE, action: 'challenge', score_threshold: 40 },
  ]);
  await bench.ok('PATCH', rule, { mode: 'default' });
  const after = await bench.ok<Configuration>('GET', CONFIG);
  expect(after.rules[0]?.action_parameters.overrides).toBeUndefined();
  expect(await bench.ok('GET', CHECK)).toMatchObject({ compatible: true });
});
