import { describe, expect, test } from 'vitest';

import { fakeClock } from '../../src/emulator/index.ts';
import { refusalOf, startBench } from './bench.ts';
import {
  bypass,
  CHECK,
  CORE,
  executeRule,
  migration,
  oldZone,
  pageRule,
  STATUS,
  zone,
} from './migration-zone.ts';
import type { Status, Steps } from './migration-zone.ts';

const PHASE_ONE = `${zone}/waf_migration/check`;
const two_lists = { firewall: { rules: 'two_lists' } };
const coreOff = { packages: { [CORE]: { sensitivity: 'off' } } };
const override = [{ urls: ['old.example'], rules: { 100015: 'disable' } }];

type Members = Readonly<Record<string, unknown>>;

async function compatible(
  path: string,
  members: Members,
  account: Members = {},
  now?: string,
): Promise<boolean> {
  const clock = now === undefined ? {} : { clock: fakeClock(now) };
  const bench = await startBench({ seed: oldZone(members, account), ...clock });
  const check = await bench.ok<{ readonly compatible: boolean }>('GET', path);
  const word = path === CHECK ? migration('pending') : migration('pending', {});
  expect((await bench.call('PUT', word, { rules: [executeRule()] })).status).toBe(
    check.compatible ? 200 : 400,
  );
  return check.compatible;
}

describe('specification 3.2, phase 2 (phase_two=1)', () => {
  test.each([
    ['an untouched zone', {}],
    ['the core ruleset', { waf: { packages: { [CORE]: { sensitivity: 'high' } } } }],
    ['firewall rules that bypass managed rules', { ...two_lists, firewall_rules: [bypass('ssl')] }],
    ['page rules that disable security', { page_rules: [pageRule('x/*', [{ id: 'disable_security' }], 1)] }],
  ])('every zone is eligible: %s', async (_, members) => {
    expect(await compatible(CHECK, members)).toBe(true);
  });

  test('zones of partner accounts are eligible, since 2023-08-18', async () => {
    const partner = { features: ['partner'] };
    expect(await compatible(CHECK, {}, partner)).toBe(true);
    expect(await compatible(CHECK, {}, partner, '2023-08-18T00:00:00Z')).toBe(true);
    expect(await compatible(CHECK, {}, partner, '2023-08-17T23:59:59Z')).toBe(false);
  });

  test('zones with URI-based overrides are not eligible', async () => {
    expect(await compatible(CHECK, { waf: { overrides: override } })).toBe(false);
  });

  test('before 2022-09-19 the rules of phase 1 apply; before 2022-05-04 a zone of phase 1 is not eligible', async () => {
    expect(await compatible(CHECK, {}, {}, '2022-09-18T00:00:00Z')).toBe(false);
    expect(await compatible(CHECK, { waf: coreOff }, {}, '2022-09-18T00:00:00Z')).toBe(true);
    expect(await compatible(CHECK, {}, {}, '2022-09-19T00:00:00Z')).toBe(true);
    expect(await compatible(CHECK, { waf: coreOff }, {}, '2022-05-03T00:00:00Z')).toBe(false);
  });
});

describe('specification 3.2, phase 1 (calls without phase_two)', () => {
  test.each([
    ['the WAF is off', { waf: { enabled: false } }, true],
    ['only the vendor’s managed ruleset is on', { waf: coreOff }, true],
    ['the core ruleset is on', {}, false],
    [
      'a firewall rule bypasses managed rules',
      { waf: coreOff, ...two_lists, firewall_rules: [bypass('ssl')] },
      false,
    ],
    [
      'a firewall rule bypasses something else',
      { waf: coreOff, ...two_lists, firewall_rules: [bypass('ssl', { products: ['bic'] })] },
      true,
    ],
    [
      'a page rule disables security',
      { waf: coreOff, page_rules: [pageRule('x/*', [{ id: 'disable_security' }], 1)] },
      false,
    ],
    [
      'a page rule switches the WAF on',
      { waf: coreOff, page_rules: [pageRule('x/*', [{ id: 'waf', value: 'on' }], 1)] },
      false,
    ],
    [
      'a page rule switches the WAF off',
      { waf: coreOff, page_rules: [pageRule('x/*', [{ id: 'waf', value: 'off' }], 1)] },
      false,
    ],
    ['there are URI-based overrides', { waf: { ...coreOff, overrides: override } }, false],
  ])('%s: %j %s', async (_, members, eligible) => {
    expect(await compatible(PHASE_ONE, members)).toBe(eligible);
  });

  test('zones of partner accounts are not eligible', async () => {
    expect(await compatible(PHASE_ONE, { waf: coreOff }, { features: ['partner'] })).toBe(false);
  });

  test.each(['0', 'true', '2', ''])('phase_two=%s is not phase_two=1', async (value) => {
    const bench = await startBench({ seed: oldZone() });
    expect(await bench.ok('GET', `${PHASE_ONE}?phase_two=${value}`)).toEqual({ compatible: false });
  });
});

test('specification 3.2: the update is always started by the user: time and ordinary writes start nothing', async () => {
  const bench = await startBench({ seed: oldZone() });
  await bench.ok('PUT', `${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`, {
    rules: [executeRule()],
  });
  bench.clock.advance(10 * 365 * 86_400_000);
  expect(await bench.ok<Status>('GET', STATUS)).toMatchObject({ migration_state: 'start' });
});

describe('specification 7.5 and 8: cases that support has to handle', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => bypass(`http.request.uri.path eq "/${index}"`));

  test.each([
    [200, true],
    [201, false],
  ])('%i firewall rules to migrate: compatible %s', async (count, eligible) => {
    expect(await compatible(CHECK, { ...two_lists, firewall_rules: many(count) })).toBe(eligible);
  });

  test('rules that are not migrated do not count', async () => {
    const others = many(201).map((rule) => ({ ...rule, products: ['rateLimit'] }));
    expect(await compatible(CHECK, { ...two_lists, firewall_rules: others })).toBe(true);
  });

  const long = (bytes: number): string => {
    const frame = 'http.request.uri.path eq ""';
    return frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`);
  };

  test.each([
    [4096, true],
    [4097, false],
  ])('a firewall rule expression of %i bytes: compatible %s', async (bytes, eligible) => {
    expect(await compatible(CHECK, { ...two_lists, firewall_rules: [bypass(long(bytes))] })).toBe(eligible);
  });

  test('4 KB counts bytes, not characters', async () => {
    const text = `http.request.uri.path eq "${'é'.repeat(2100)}"`;
    expect(await compatible(CHECK, { ...two_lists, firewall_rules: [bypass(text)] })).toBe(false);
  });

  test('the refusal and the control endpoint name every reason', async () => {
    const bench = await startBench({
      seed: oldZone({
        ...two_lists,
        waf: { overrides: [...override, ...override] },
        firewall_rules: [...many(201), bypass(long(5000))],
      }),
    });
    const { message } = refusalOf(await bench.call('PUT', migration('pending'), { rules: [] }));
    const { blockers } = (await (await bench.control('GET', '/waf-migration/old.example')).json()) as Steps;
    expect(blockers).toEqual([
      '2 URI-based WAF overrides have to be deleted first',
      '202 firewall rules to migrate are more than 200: contact the support',
      'a firewall rule expression is longer than 4 KB: contact the support',
    ]);
    expect(message).toBe(`the zone cannot be migrated: ${blockers.join('; ')}`);
  });
});
