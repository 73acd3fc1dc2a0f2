import { describe, expect, test } from 'vitest';
import { buildSeed } from '../../src/emulator/seed/build-seed.ts';
import { decodeState, encodeState } from '../../src/emulator/store/state-file.ts';
import { blog, startBench } from './bench.ts';
import type { FilterView, FirewallRuleView } from './firewall-bench.ts';

interface View {
  readonly description?: string;
  readonly actions?: readonly unknown[];
  readonly id: string;
}

describe('the blog zone of the seed', () => {
  test('has old firewall rules that are not converted yet', async () => {
    const bench = await startBench();
    const rules = await bench.ok<readonly FirewallRuleView[]>('GET', `${blog}/firewall/rules`);
    expect(
      rules.map(({ action, priority, paused, products }) => [action, priority, paused, products]),
    ).toEqual([
      ['managed_challenge', 50, false, undefined],
      ['allow', 10, false, undefined],
      ['bypass', 20, false, ['waf', 'bic', 'securityLevel']],
      ['block', null, false, undefined],
      ['block', 40, true, undefined],
      ['block', null, false, undefined],
    ]);
    expect(rules[0]?.filter).toEqual(rules[4]?.filter);
    expect(
      (await bench.call('GET', `${blog}/rulesets/phases/http_request_firewall_custom/entrypoint`)).status,
    ).toBe(404);
    const filters = await bench.ok<readonly FilterView[]>('GET', `${blog}/filters`);
    const used = new Set(rules.map(({ filter }) => filter.id));
    expect([used.size, filters.length]).toEqual([5, 7]);
  });

  test('has two old rate limits, two page rules and a lockdown', async () => {
    const bench = await startBench();
    const list = (family: string) => bench.ok<readonly View[]>('GET', `${blog}/${family}`);
    expect((await list('rate_limits')).map(({ description }) => description)).toEqual(['Logins', 'Search']);
    expect((await list('pagerules')).map(({ actions }) => actions)).toEqual([
      [{ id: 'disable_security' }],
      [{ id: 'waf', value: 'off' }],
    ]);
    expect(await list('firewall/lockdowns')).toHaveLength(1);
  });

  test('holds objects that a PUT accepts as they are, except for one filter made with its rule', async () => {
    const bench = await startBench();
    for (const family of ['rate_limits', 'pagerules', 'firewall/lockdowns', 'filters']) {
      for (const object of await bench.ok<readonly View[]>('GET', `${blog}/${family}`)) {
        const reply = await bench.call('PUT', `${blog}/${family}/${object.id}`, object);
        const madeWithRule = family === 'filters' && object.description === 'Cameras of a known botnet';
        expect([family, object.id, reply.status]).toEqual([family, object.id, madeWithRule ? 400 : 200]);
      }
    }
    const rules = await bench.ok<readonly FirewallRuleView[]>('GET', `${blog}/firewall/rules`);
    expect(await bench.ok('PUT', `${blog}/firewall/rules`, rules)).toEqual(rules);
  });
});

describe('a seed with old firewall rules, filters, rate limits, page rules or lockdowns', () => {
  const seed = (members: Readonly<Record<string, unknown>>) => ({
    version: 1,
    accounts: [{ name: 'A' }],
    zones: [{ name: 'z.example', plan: 'pro', firewall: { rules: 'two_lists' }, ...members }],
  });
  const rule = { action: 'block', filter: { expression: 'ssl' } };

  test.each([
    ['rules in a zone of one list', { firewall: {}, firewall_rules: [rule] }, /two_lists/u],
    ['an unknown world', { firewall: { rules: 'three' } }, /\/firewall\/rules/u],
    [
      'a rule whose filter is not there',
      { firewall_rules: [{ action: 'block', filter: { ref: 'x' } }] },
      /no such filter/u,
    ],
    ['a bypass without products', { firewall_rules: [{ ...rule, action: 'bypass' }] }, /needs products/u],
    ['a rate limit that the service refuses', { rate_limits: [{ threshold: 1 }] }, /threshold is too low/u],
    ['a page rule without actions', { page_rules: [{ targets: [], actions: [] }] }, /\/page_rules\/0/u],
    ['a lockdown without urls', { lockdowns: [{ urls: [] }] }, /at least one url/u],
    ['an unknown member', { filters: [{ expression: 'ssl', colour: 1 }] }, /unknown field "colour"/u],
  ])('%s is refused with the reason', (_, members, message) => {
    expect(() => buildSeed(seed(members))).toThrow(message);
  });

  test('keeps the ids it gives', async () => {
    const ids = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
    const bench = await startBench({
      seed: seed({
        filters: [{ id: ids[0], expression: 'ssl', ref: 'F' }],
        firewall_rules: [{ ...rule, id: ids[1], filter: { ref: 'F' } }],
        rate_limits: [{ id: ids[2], match: {}, threshold: 2, period: 10, action: { mode: 'challenge' } }],
      }),
    });
    const { firewallRules = [], filters = [], documents = [] } = bench.service.store.content();
    expect([filters[0]?.id, firewallRules[0]?.id, firewallRules[0]?.filter, documents[0]?.id]).toEqual([
      ids[0],
      ids[1],
      ids[0],
      ids[2],
    ]);
  });
});

test('encoding and decoding a state keeps old firewall rules, filters and zone objects', async () => {
  const bench = await startBench();
  const content = bench.service.store.content();
  const kept = decodeState(encodeState(content), 'state.json');
  expect(kept).toEqual(content);
  expect([kept.firewallRules?.length, kept.filters?.length, kept.documents?.length]).toEqual([6, 7, 5]);
});
