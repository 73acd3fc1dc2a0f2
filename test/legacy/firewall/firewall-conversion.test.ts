import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { convertFirewallRule, convertedRef } from '../../../src/legacy/firewall/firewall-convert-rule.ts';
import { convertFirewall, decideOrder } from '../../../src/legacy/firewall/firewall-conversion.ts';
import type { ConversionInput } from '../../../src/legacy/firewall/firewall-conversion.ts';
import { decideWorld } from '../../../src/legacy/firewall/firewall-world.ts';
import type { OldFirewallRule } from '../../../src/legacy/conversion.ts';
import type { JsonObject } from '../../../src/data/json.ts';
import { propertyRuns } from '../../property-runs.ts';
import { customRule, customRules, filter, id, oldFirewall, oldRule } from './old-firewall.ts';

const LOGIN = 'http.request.uri.path eq "/login"';
const OFFICE = 'ip.src in {203.0.113.0/24}';

describe('the custom rule made from an old firewall rule', () => {
  test.each([
    ['block', [], { action: 'block' }],
    ['log', [], { action: 'log' }],
    ['allow', [], { action: 'skip', action_parameters: { ruleset: 'current' } }],
    ['bypass', ['bic', 'hot'], { action: 'skip', action_parameters: { products: ['bic', 'hot'] } }],
    [
      'bypass',
      ['rateLimit', 'waf'],
      {
        action: 'skip',
        action_parameters: {
          phases: ['http_ratelimit', 'http_request_firewall_managed'],
          products: ['rateLimit', 'waf'],
        },
      },
    ],
  ])('keeps the effect of the action and its products: %s %s', (action, products, content) => {
    expect(convertFirewallRule(oldRule(1, action, LOGIN, { products }))).toMatchObject({
      kind: 'converted',
      ref: convertedRef(id('rule', 1)),
      content: { ...content, expression: LOGIN, enabled: true },
    });
  });

  test.each([
    ['paused rule', oldRule(1, 'block', LOGIN, { paused: true })],
    ['paused filter', oldRule(1, 'block', filter(1, LOGIN, { paused: true }))],
  ])('is disabled for a %s', (_, old) => {
    expect(convertFirewallRule(old)).toMatchObject({ content: { enabled: false } });
  });

  test.each([
    ['an action that nobody knows', oldRule(1, 'tarpit', LOGIN)],
    ['a product that nobody knows', oldRule(1, 'bypass', LOGIN, { products: ['newest'] })],
    ['a deleted filter', oldRule(1, 'block', LOGIN, { filter: { kind: 'deleted', id: id('filter', 1) } })],
  ])('does not exist for %s', (_, old) => {
    expect(convertFirewallRule(old)).toMatchObject({ kind: 'left' });
  });

  test('is flagged if its expression is longer than 4 KB', () => {
    const long = `http.host eq "${'a'.repeat(4096)}"`;
    expect(convertFirewallRule(oldRule(1, 'log', long))).toMatchObject({ notes: [{ kind: 'too-long' }] });
  });
});

describe('the order of old firewall rules', () => {
  const first = oldRule(1, 'block', LOGIN, { priority: 20 });
  const second = oldRule(2, 'allow', OFFICE, { priority: 10 });

  test('has to be chosen if the list and the priorities give different orders', () => {
    expect(decideOrder([first, second], undefined)).toEqual({
      kind: 'ask',
      first: { list: first.id, priority: second.id },
    });
  });

  test.each([
    ['list', [first, second]],
    ['priority', [second, first]],
  ] as const)('is that of the %s if chosen', (order, rules) => {
    expect(decideOrder([first, second], order)).toMatchObject({ kind: 'ordered', rules });
  });

  test('goes by the action among rules of equal priority', () => {
    const rules = ['block', 'js_challenge', 'managed_challenge', 'challenge', 'allow', 'bypass', 'log'].map(
      (action, index) => oldRule(index, action, LOGIN),
    );
    expect(decideOrder(rules, 'priority')).toMatchObject({ rules: rules.toReversed() });
  });

  test('goes by priority beyond 200 rules, and a conversion warns about the limit of the plan', () => {
    const many = Array.from({ length: 201 }, (_, index) => oldRule(index, 'log', LOGIN));
    expect(decideOrder(many, undefined)).toMatchObject({ order: 'priority', reason: 'long-list' });
    expect(convertFirewall({ old: many, custom: [], plan: 'business' })).toMatchObject({
      warnings: [expect.stringContaining('201 old rules'), expect.stringContaining('room for 100')],
    });
  });
});

describe('the relation of old firewall rules and custom rules', () => {
  const old = [oldRule(1, 'block', LOGIN), oldRule(2, 'allow', OFFICE)];
  const block = { action: 'block', expression: LOGIN };
  const allow = { action: 'skip', action_parameters: { ruleset: 'current' }, expression: OFFICE };

  test.each([
    ['two-lists', 'nothing is the same', []],
    ['one-list', 'everything is the same', [customRule(1, block), customRule(2, allow)]],
    ['unclear', 'half of it is the same', [customRule(1, block)]],
    [
      'unclear',
      'the old interface does not show a rule',
      [customRule(1, block), customRule(2, allow), customRule(3, { action: 'log' })],
    ],
    [
      'two-lists',
      'old rules stand beside their conversions',
      [customRule(1, block, convertedRef(id('rule', 1))), customRule(2, allow, convertedRef(id('rule', 2)))],
    ],
  ])('is %s when %s', (kind, _, custom) => {
    expect(decideWorld(old, custom)).toMatchObject({ kind });
  });

  const skip = (action_parameters: JsonObject) => ({
    action: 'skip',
    expression: LOGIN,
    action_parameters,
  });
  const managed = { phases: ['http_request_firewall_managed'] };

  test.each<[string, OldFirewallRule, Parameters<typeof customRule>[1]]>([
    ['an allow', oldRule(1, 'allow', LOGIN), skip({ ruleset: 'current' })],
    [
      'a bypass of a product',
      oldRule(1, 'bypass', LOGIN, { products: ['bic'] }),
      skip({ products: ['bic'] }),
    ],
    ['a bypass of a phase', oldRule(1, 'bypass', LOGIN, { products: ['waf'] }), skip(managed)],
    ['a paused rule', oldRule(1, 'block', LOGIN, { paused: true }), { expression: LOGIN, enabled: false }],
    [
      'a rule of a paused filter',
      oldRule(1, 'block', filter(1, LOGIN, { paused: true })),
      { expression: LOGIN, enabled: false },
    ],
  ])('is one list if the custom rule equals %s', (_name, old, custom) => {
    expect(decideWorld([old], [customRule(1, custom)])).toMatchObject({ kind: 'one-list' });
  });

  test.each<[string, OldFirewallRule, Parameters<typeof customRule>[1]]>([
    ['acts otherwise', oldRule(1, 'log', LOGIN), { expression: LOGIN }],
    ['is for other requests', oldRule(1, 'block', LOGIN), { expression: 'ssl' }],
    ['is paused', oldRule(1, 'block', LOGIN, { paused: true }), { expression: LOGIN }],
    ['has a paused filter', oldRule(1, 'block', filter(1, LOGIN, { paused: true })), { expression: LOGIN }],
    ['is on', oldRule(1, 'block', LOGIN), { expression: LOGIN, enabled: false }],
    [
      'bypasses another product',
      oldRule(1, 'bypass', LOGIN, { products: ['hot'] }),
      skip({ products: ['bic'] }),
    ],
    ['bypasses more', oldRule(1, 'bypass', LOGIN, { products: ['bic', 'waf'] }), skip({ products: ['bic'] })],
    [
      'bypasses less',
      oldRule(1, 'bypass', LOGIN, { products: ['waf'] }),
      skip({ ...managed, products: ['bic'] }),
    ],
    ['allows, where only a product is skipped', oldRule(1, 'allow', LOGIN), skip({ products: ['bic'] })],
  ])('is two lists if the only custom rule differs because the old rule %s', (_name, old, custom) => {
    expect(decideWorld([old], [customRule(1, custom)])).toMatchObject({ kind: 'two-lists' });
  });

  test('is one list again when the service shows converted rules as old rules', () => {
    const ref = convertedRef(id('rule', 9));
    expect(decideWorld([oldRule(1, 'block', LOGIN, { ref })], [customRule(1, block, ref)])).toMatchObject({
      kind: 'one-list',
    });
  });

  test('is unclear while the service shows rules that were converted before as old rules too', () => {
    const ref = convertedRef(id('rule', 1));
    const shown = [oldRule(1, 'block', LOGIN), oldRule(7, 'block', LOGIN, { ref })];
    expect(decideWorld(shown, [customRule(1, block, ref)])).toMatchObject({ kind: 'unclear' });
  });
});

test('keeps existing custom rules as they are, and converts again to the same rules', () => {
  fc.assert(
    fc.property(oldFirewall, customRules, (old, custom) => {
      const input: ConversionInput = { old, custom, order: 'priority', place: 'first' };
      const result = convertFirewall(input);
      fc.pre(result.kind === 'converted');
      expect(result).toMatchObject({ existing: custom });
      const made = result.rules.flatMap((rule, index) =>
        rule.kind === 'converted' ? [customRule(100 + index, rule.content, rule.ref)] : [],
      );
      expect(convertFirewall({ ...input, custom: [...made, ...custom] })).toMatchObject({
        rules: result.rules,
        existing: custom,
      });
    }),
    { numRuns: propertyRuns() },
  );
});
