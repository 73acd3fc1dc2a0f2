import fc from 'fast-check';
import type { OldFilter, OldFirewallRule } from '../../../src/legacy/conversion.ts';
import { BYPASS_PRODUCTS, SAME_ACTIONS } from '../../../src/legacy/firewall/firewall-convert-rule.ts';
import type { LiveRule, RuleContent } from '../../../src/model/rule.ts';

/** An id of 32 hex characters that contains the number. */
export function id(kind: 'rule' | 'filter' | 'custom', number: number): string {
  return `${{ rule: 'a', filter: 'b', custom: 'c' }[kind]}${number.toString(16).padStart(31, '0')}`;
}

/** A filter with defaults. */
export function filter(number: number, expression: string, more: Partial<OldFilter> = {}): OldFilter {
  return { id: id('filter', number), expression, paused: false, description: '', ref: '', ...more };
}

/** An old firewall rule with defaults. */
export function oldRule(
  number: number,
  action: string,
  of: OldFilter | string,
  more: Partial<OldFirewallRule> = {},
): OldFirewallRule {
  const own = typeof of === 'string' ? filter(number, of) : of;
  return {
    id: id('rule', number),
    action,
    products: [],
    priority: null,
    paused: false,
    description: '',
    ref: '',
    filter: { kind: 'filter', ...own },
    ...more,
  };
}

/** A live custom rule with defaults; its `ref` is its id unless given. */
export function customRule(
  number: number,
  content: Partial<RuleContent>,
  ref: string = id('custom', number),
): LiveRule {
  return {
    id: id('custom', number),
    ref,
    content: { action: 'block', expression: 'true', description: '', enabled: true, ...content },
  };
}

const EXPRESSIONS = [
  'http.host eq "shop.example"',
  'http.request.uri.path eq "/login"',
  'starts_with(http.request.uri.path, "/admin") and not ip.src in {203.0.113.0/24 2001:db8::/32}',
  'lower(http.user_agent) contains "bot" or cf.threat_score gt 40',
  'ip.src.country in {"NL" "DE"} and http.request.method ne "GET"',
  'any(http.request.headers["x-key"][*] eq "secret")',
  'cf.bot_management.score lt 30 and not cf.client.bot',
  'http.request.uri.path wildcard "/api/*"',
  'ip.src.asnum in {64500..64510} xor ssl',
  'ip.src in $office',
  'http.request.uri.query matches "id=[0-9]+"',
  'true',
];

const anyAction = fc.oneof(
  fc.constantFrom(...SAME_ACTIONS, 'allow').map((action) => ({ action, products: [] })),
  fc.subarray([...BYPASS_PRODUCTS], { minLength: 1 }).map((products) => ({ action: 'bypass', products })),
);

/** Old rules with any priorities, pauses, shared filters, actions and products. */
export const oldFirewall: fc.Arbitrary<readonly OldFirewallRule[]> = fc
  .record({
    filters: fc.uniqueArray(
      fc.record({ expression: fc.constantFrom(...EXPRESSIONS), paused: fc.boolean() }),
      { minLength: 1, maxLength: 6, selector: ({ expression }) => expression },
    ),
    rules: fc.array(
      fc.record({
        deed: anyAction,
        filter: fc.nat(),
        paused: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
        priority: fc.option(fc.integer({ min: 0, max: 5 })),
        description: fc.constantFrom('', 'a rule', 'another'),
        ref: fc.constantFrom('', 'own-ref'),
      }),
      { minLength: 1, maxLength: 8 },
    ),
  })
  .map(({ filters, rules }) =>
    rules.map(({ deed, filter: chosen, ...rest }, index) => {
      const place = chosen % filters.length;
      const { expression = 'true', paused = false } = filters[place] ?? {};
      return oldRule(index, deed.action, filter(place, expression, { paused }), {
        products: deed.products,
        ...rest,
      });
    }),
  );

/** Custom rules that exist before the conversion. */
export const customRules: fc.Arbitrary<readonly LiveRule[]> = fc
  .array(
    fc.record({
      expression: fc.constantFrom(...EXPRESSIONS),
      enabled: fc.boolean(),
      content: fc.constantFrom<Partial<RuleContent>>(
        { action: 'block' },
        { action: 'log' },
        { action: 'managed_challenge' },
        { action: 'skip', action_parameters: { ruleset: 'current' } },
        { action: 'skip', action_parameters: { phases: ['http_ratelimit'] } },
        { action: 'skip', action_parameters: { products: ['bic'] } },
      ),
    }),
    { maxLength: 3 },
  )
  .map((rules) =>
    rules.map(({ content, ...rest }, index) => customRule(index, { ...content, ...rest }, `theirs-${index}`)),
  );
