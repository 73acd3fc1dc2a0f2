import { describe, expect, test } from 'vitest';

import { blockRule, entryPoint, refusalOf } from './bench.ts';
import { startFirewall } from './firewall-bench.ts';
import type { FilterView, FirewallBench, FirewallRuleView } from './firewall-bench.ts';

const CUSTOM = 'http_request_firewall_custom';
const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';

async function startOneList(plan = 'business'): Promise<FirewallBench> {
  return startFirewall({ world: 'one_list', plan });
}

const custom = (bench: FirewallBench) => bench.ok('GET', entryPoint(bench.zone, CUSTOM));
const put = (bench: FirewallBench, ...rules: readonly unknown[]) =>
  bench.ok('PUT', entryPoint(bench.zone, CUSTOM), { rules });
const skip = (parameters: Readonly<Record<string, unknown>>, more: object = {}) =>
  blockRule({ action: 'skip', action_parameters: parameters, ...more });
const deeds = (rules: readonly FirewallRuleView[]) =>
  rules.map(({ action, products }) => (products === undefined ? [action] : [action, products]));

describe('api.md 9.3: what is written through Rulesets shows in the old interface', () => {
  test.each([
    ['block', blockRule(), [['block']]],
    [
      'block with a response of its own',
      blockRule({
        action_parameters: { response: { status_code: 403, content_type: 'text/plain', content: 'no' } },
      }),
      [['block']],
    ],
    ['challenge', blockRule({ action: 'challenge' }), [['challenge']]],
    ['js_challenge', blockRule({ action: 'js_challenge' }), [['js_challenge']]],
    ['managed_challenge', blockRule({ action: 'managed_challenge' }), [['managed_challenge']]],
    ['log', blockRule({ action: 'log' }), [['log']]],
    ['skip the ruleset', skip({ ruleset: 'current' }), [['allow']]],
    ['skip products', skip({ products: ['bic', 'uaBlock'] }), [['bypass', ['uaBlock', 'bic']]]],
    [
      'skip phases',
      skip({ phases: ['http_ratelimit', 'http_request_firewall_managed', 'http_request_sbfm'] }),
      [['bypass', ['rateLimit', 'waf']]],
    ],
    [
      'skip products of the old engine',
      skip({ products: ['waf', 'rateLimit'] }),
      [['bypass', ['rateLimit', 'waf']]],
    ],
    [
      'skip the ruleset and products',
      skip({ ruleset: 'current', products: ['hot'] }),
      [['allow'], ['bypass', ['hot']]],
    ],
    ['skip what the old interface has no word for', skip({ phases: ['http_request_sbfm'] }), []],
    ['skip a managed ruleset', skip({ rulesets: [MANAGED] }), []],
  ])('%s', async (_, rule, expected) => {
    const bench = await startOneList('enterprise');
    await put(bench, rule);
    expect(deeds(await bench.rules())).toEqual(expected);
  });

  test('old rules take description, ref, expression and enabled from the custom rule, but have ids of their own', async () => {
    const bench = await startOneList();
    const { rules = [] } = await put(
      bench,
      blockRule({ description: 'First', ref: 'one', enabled: false }),
      blockRule({ expression: 'ssl' }),
    );
    const shown = await bench.rules();
    expect(shown).toEqual([
      {
        id: expect.any(String),
        paused: true,
        description: 'First',
        ref: 'one',
        action: 'block',
        priority: null,
        filter: { id: expect.any(String), paused: false, expression: 'ip.src eq 192.0.2.1' },
      },
      {
        id: expect.any(String),
        paused: false,
        action: 'block',
        priority: null,
        filter: { id: expect.any(String), paused: false, expression: 'ssl' },
      },
    ]);
    const ids = [...rules.map(({ id }) => id), ...shown.flatMap(({ id, filter }) => [id, filter.id])];
    expect(new Set(ids).size).toBe(6);
    expect(await bench.filters()).toEqual(shown.map(({ filter }) => filter));
  });

  test('old rules keep their ids while custom rules are moved and changed', async () => {
    const bench = await startOneList();
    const { rules = [] } = await put(
      bench,
      blockRule({ ref: 'a' }),
      blockRule({ ref: 'b', expression: 'ssl' }),
    );
    const [a, b] = await bench.rules();
    await put(
      bench,
      { id: rules[1]?.id },
      blockRule({ id: rules[0]?.id, action: 'challenge', expression: 'not ssl' }),
    );
    expect(await bench.rules()).toEqual([
      b,
      { ...a, action: 'challenge', filter: { ...a?.filter, expression: 'not ssl' } },
    ]);
  });

  test("deleting a custom rule deletes its old rule and that rule's own filter", async () => {
    const bench = await startOneList();
    await put(bench, blockRule(), blockRule({ expression: 'ssl' }));
    await put(bench, blockRule({ expression: 'ssl' }));
    expect(await bench.rules()).toHaveLength(1);
    expect(await bench.filters()).toHaveLength(1);
  });

  test('an execute rule and the rules of its custom ruleset do not show', async () => {
    const bench = await startOneList();
    const other = await bench.ok('POST', `${bench.zone}/rulesets`, {
      name: 'x',
      kind: 'custom',
      phase: CUSTOM,
      rules: [blockRule()],
    });
    await put(bench, { action: 'execute', expression: 'true', action_parameters: { id: other.id } });
    expect(await bench.rules()).toEqual([]);
  });
});

describe('api.md 9.3: what is written through the old interface shows in Rulesets', () => {
  test.each([
    [{ action: 'block' }, { action: 'block' }],
    [{ action: 'managed_challenge' }, { action: 'managed_challenge' }],
    [
      { action: 'allow' },
      { action: 'skip', action_parameters: { ruleset: 'current' }, logging: { enabled: true } },
    ],
    [
      { action: 'bypass', products: ['bic', 'zoneLockdown'] },
      { action: 'skip', action_parameters: { products: ['bic', 'zoneLockdown'] } },
    ],
    [
      { action: 'bypass', products: ['waf', 'hot', 'rateLimit'] },
      {
        action: 'skip',
        action_parameters: { phases: ['http_request_firewall_managed', 'http_ratelimit'], products: ['hot'] },
      },
    ],
    [{ paused: true }, { enabled: false }],
    [{ filter: { expression: 'ssl', paused: true } }, { enabled: false, expression: 'ssl' }],
    [
      { description: 'Mine', ref: 'r-1' },
      { description: 'Mine', ref: 'r-1', enabled: true },
    ],
  ])('%j', async (rule, expected) => {
    const bench = await startOneList();
    const [made] = await bench.create(rule);
    const { rules = [], version, name, kind } = await custom(bench);
    expect([version, name, kind]).toEqual(['1', 'default', 'zone']);
    expect(rules).toHaveLength(1);
    expect(rules[0]).toMatchObject({ expression: made?.filter.expression, version: '1', ...expected });
    const again = await bench.rules();
    expect(again).toEqual([made]);
    // The order of products is the old interface's own.
    const sorted = (products: unknown) => (Array.isArray(products) ? products.map(String).toSorted() : []);
    const wanted: Readonly<Record<string, unknown>> = rule;
    expect({ ...made, products: sorted(made?.products) }).toMatchObject({
      ...wanted,
      products: sorted(wanted['products']),
    });
  });

  test('each write makes one version; a write that changes no custom rule makes none', async () => {
    const bench = await startOneList();
    const [a, b] = await bench.create({}, {});
    expect((await custom(bench)).version).toBe('1');
    await bench.ok('PATCH', bench.rulesPath, [{ id: a?.id, priority: 5 }]);
    await bench.ok('POST', bench.filtersPath, [{ expression: 'ssl' }]);
    expect((await custom(bench)).version).toBe('1');
    await bench.ok('DELETE', `${bench.rulesPath}?id=${a?.id}&id=${b?.id}`);
    const { version, rules } = await custom(bench);
    expect([version, rules]).toEqual(['2', undefined]);
  });

  test('a priority gives a rule its place; without one the rule goes to the end', async () => {
    const bench = await startOneList();
    await put(bench, blockRule({ ref: 'dashboard' }));
    await bench.create(
      { ref: 'twenty', priority: 20 },
      { ref: 'ten', priority: 10 },
      { ref: 'also-ten', priority: 10 },
      { ref: 'none' },
    );
    const refs = async () => (await custom(bench)).rules?.map(({ ref }) => ref);
    expect(await refs()).toEqual(['ten', 'also-ten', 'twenty', 'dashboard', 'none']);
    const shown = await bench.rules();
    expect(shown.map(({ priority }) => priority)).toEqual([10, 10, 20, null, null]);
    await bench.ok('PATCH', bench.rulesPath, [{ id: shown[3]?.id, priority: 1 }]);
    expect(await refs()).toEqual(['dashboard', 'ten', 'also-ten', 'twenty', 'none']);
  });

  test('priorities are no longer shown once Rulesets change the order', async () => {
    const bench = await startOneList();
    await bench.create({ ref: 'a', priority: 1 }, { ref: 'b', priority: 2 });
    const { rules = [] } = await custom(bench);
    await put(bench, { id: rules[1]?.id }, { id: rules[0]?.id });
    expect((await bench.rules()).map(({ ref, priority }) => [ref, priority])).toEqual([
      ['b', null],
      ['a', null],
    ]);
  });

  test('a block response and the details of a skip outlive a change through the old interface', async () => {
    const bench = await startOneList();
    const response = { status_code: 451, content_type: 'text/plain', content: 'no' };
    await put(
      bench,
      blockRule({ ref: 'r', action_parameters: { response } }),
      skip(
        { products: ['bic'], phases: ['http_request_sbfm'] },
        { ref: 's', logging: { enabled: false }, expression: 'ssl' },
      ),
    );
    const shown = await bench.rules();
    await bench.ok(
      'PUT',
      bench.rulesPath,
      shown.map(({ id, action, products, filter }) => ({
        id,
        action,
        products,
        filter: { id: filter.id },
        description: 'New',
      })),
    );
    const { rules = [] } = await custom(bench);
    expect(rules).toMatchObject([
      { ref: 'r', description: 'New', action_parameters: { response } },
      {
        ref: 's',
        description: 'New',
        action_parameters: { products: ['bic'], phases: ['http_request_sbfm'] },
        logging: { enabled: false },
      },
    ]);
    await bench.ok('PUT', `${bench.rulesPath}/${shown[0]?.id}`, {
      action: 'challenge',
      filter: { id: shown[0]?.filter.id },
    });
    expect((await custom(bench)).rules?.[0]).not.toHaveProperty('action_parameters');
  });

  test('an allow and a bypass from one skip rule stay one rule while possible, and are split otherwise', async () => {
    const bench = await startOneList();
    const before = await put(
      bench,
      skip({ ruleset: 'current', products: ['hot'] }, { ref: 'pair' }),
      blockRule({ expression: 'ssl', ref: 'last' }),
    );
    const [allow, bypass] = await bench.rules();
    const path = `${bench.rulesPath}/${bypass?.id}`;
    const body = { action: 'bypass', products: ['bic'], filter: { id: bypass?.filter.id } };
    const parameters = async () => (await custom(bench)).rules?.map((rule) => rule.action_parameters);
    await bench.ok('PUT', path, body);
    expect(await parameters()).toEqual([{ ruleset: 'current', products: ['bic'] }, undefined]);
    await bench.ok('PUT', path, { ...body, paused: true });
    expect(await parameters()).toEqual([{ ruleset: 'current' }, { products: ['bic'] }, undefined]);
    expect((await custom(bench)).rules?.[0]?.id).toBe(before.rules?.[0]?.id);
    expect((await bench.rules()).map(({ id }) => id).slice(0, 2)).toEqual([allow?.id, bypass?.id]);
    await bench.ok('DELETE', `${bench.rulesPath}/${allow?.id}`);
    expect(deeds(await bench.rules())).toEqual([['bypass', ['bic']], ['block']]);
  });

  test('rules that the old interface does not show keep their place', async () => {
    const bench = await startOneList();
    const other = await bench.ok('POST', `${bench.zone}/rulesets`, {
      name: 'x',
      kind: 'custom',
      phase: CUSTOM,
    });
    const execute = {
      action: 'execute',
      expression: 'true',
      action_parameters: { id: other.id },
      ref: 'run',
    };
    await put(bench, blockRule({ ref: 'a' }), execute, blockRule({ ref: 'b', expression: 'ssl' }));
    const [a, b] = await bench.rules();
    await bench.create({ ref: 'c' });
    const refs = async () => (await custom(bench)).rules?.map(({ ref }) => ref);
    expect(await refs()).toEqual(['a', 'run', 'b', 'c']);
    await bench.ok('DELETE', `${bench.rulesPath}/${a?.id}`);
    expect(await refs()).toEqual(['run', 'b', 'c']);
    await bench.ok('DELETE', `${bench.rulesPath}/${b?.id}`);
    expect(await refs()).toEqual(['run', 'c']);
  });

  test('two old rules may share a ref; their custom rules have different refs', async () => {
    const bench = await startOneList();
    const rules = await bench.create({ ref: 'same' }, { ref: 'same' });
    expect(rules.map(({ ref }) => ref)).toEqual(['same', 'same']);
    const stored = (await custom(bench)).rules ?? [];
    expect(stored.map(({ ref }) => ref)).toEqual(['same', stored[1]?.id]);
  });

  test('limits of the custom rules hold: log needs Enterprise, the plan has a quota', async () => {
    const bench = await startOneList('free');
    const log = await bench.call('POST', bench.rulesPath, [{ action: 'log', filter: { expression: 'ssl' } }]);
    expect(refusalOf(log).message).toMatch(/Enterprise/u);
    await put(bench, ...['a', 'b', 'c', 'd', 'e'].map((ref) => blockRule({ ref })));
    const more = await bench.call('POST', bench.rulesPath, [
      { action: 'block', filter: { expression: 'ssl' } },
    ]);
    expect(refusalOf(more)).toMatchObject({ code: 50001, pointer: undefined });
  });
});

describe('a shared filter with one list', () => {
  test('changes and pauses all its rules; a rule that Rulesets change gets a filter of its own', async () => {
    const bench = await startOneList();
    const [filter] = await bench.ok<readonly FilterView[]>('POST', bench.filtersPath, [
      { expression: 'ssl', ref: 'F' },
    ]);
    const path = `${bench.filtersPath}/${filter?.id}`;
    await bench.create(
      { ref: 'a', filter: { id: filter?.id } },
      { ref: 'b', action: 'allow', filter: { id: filter?.id } },
    );
    await bench.ok('PUT', path, { id: filter?.id, expression: 'not ssl', paused: true, ref: 'F' });
    const paused = (await custom(bench)).rules ?? [];
    expect(paused.map(({ expression, enabled }) => [expression, enabled])).toEqual([
      ['not ssl', false],
      ['not ssl', false],
    ]);
    expect((await bench.rules()).map((rule) => [rule.paused, rule.filter.paused])).toEqual([
      [false, true],
      [false, true],
    ]);

    await put(bench, { id: paused[0]?.id }, blockRule({ id: paused[1]?.id, expression: 'http.host eq "b"' }));
    const [a, b] = await bench.rules();
    expect(a?.filter).toMatchObject({ id: filter?.id, expression: 'not ssl', paused: true });
    expect(b).toMatchObject({ paused: false, filter: { expression: 'http.host eq "b"', paused: false } });
    expect(b?.filter.id).not.toBe(filter?.id);
    expect(await bench.filters()).toEqual([a?.filter, b?.filter]);
    await bench.ok('PUT', path, { id: filter?.id, expression: 'ssl' });
    expect((await custom(bench)).rules?.map(({ expression, enabled }) => [expression, enabled])).toEqual([
      ['ssl', true],
      ['http.host eq "b"', true],
    ]);
  });
});
