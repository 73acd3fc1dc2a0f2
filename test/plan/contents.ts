import fc from 'fast-check';
import type { JsonObject } from '../../src/data/json.ts';
import { listOf, objectOf } from '../../src/data/json.ts';
import type { RuleContent } from '../../src/model/rule.ts';

/** Ids of managed rulesets and their rules, the same in all scopes. */
const MANAGED = 'a'.repeat(32);
const OWASP = 'b'.repeat(32);
const ONE = 'c'.repeat(32);
const TWO = 'd'.repeat(32);

/** Contents of custom firewall rules from small pools, so that equal contents, descriptions and expressions are common. */
export const firewallContents: fc.Arbitrary<RuleContent> = fc.oneof(
  fc.record({
    action: fc.constantFrom('block', 'managed_challenge', 'log'),
    expression: fc.constantFrom(
      'http.host eq "a.example"',
      'http.host eq "b.example"',
      'ip.src in {192.0.2.0/24 198.51.100.7}',
      'starts_with(http.request.uri.path, "/admin")',
    ),
    description: fc.constantFrom('', 'first', 'second', 'third'),
    enabled: fc.boolean(),
  }),
  fc.record({
    action: fc.constant('skip'),
    expression: fc.constantFrom('true', 'cf.client.bot'),
    description: fc.constantFrom('', 'skip'),
    enabled: fc.boolean(),
    action_parameters: fc.constantFrom(
      { ruleset: 'current' },
      { phases: ['http_ratelimit'] },
      { products: ['bic', 'hot'] },
    ),
    logging: fc.constantFrom({ enabled: true }, { enabled: false }),
  }),
);

const said = {
  expression: fc.constantFrom(
    'true',
    'http.host eq "a.example"',
    'http.host eq "b.example" or cf.client.bot',
  ),
  description: fc.constantFrom('', 'first', 'second'),
  enabled: fc.boolean(),
};

function acting(action: string, ...parameters: readonly JsonObject[]): fc.Arbitrary<RuleContent> {
  return fc.record({
    action: fc.constant(action),
    ...said,
    action_parameters: fc.constantFrom(...parameters),
  });
}

const target = (to: JsonObject): JsonObject => ({ from_value: { target_url: to, status_code: 301 } });

/** Contents of rules of other phases. They are mixed: no test here needs rules that fit one phase. */
const others: fc.Arbitrary<RuleContent> = fc.oneof(
  acting(
    'execute',
    { id: MANAGED },
    { id: MANAGED, overrides: { action: 'log' } },
    {
      id: MANAGED,
      overrides: {
        categories: [
          { category: 'a', enabled: false },
          { category: 'b', action: 'block' },
        ],
      },
    },
    {
      id: MANAGED,
      overrides: {
        rules: [
          { id: ONE, action: 'log' },
          { id: TWO, enabled: false },
        ],
      },
    },
    { id: MANAGED, new_thing: { deep: ['of a later version'] } },
    { id: OWASP, overrides: { rules: [{ id: ONE, score_threshold: 25 }] } },
  ),
  acting(
    'redirect',
    target({ value: 'https://a.example/' }),
    target({ value: 'https://elsewhere.test/' }),
    target({ expression: 'concat("https://b.example", http.request.uri.path)' }),
    { from_list: { name: 'moved', key: 'http.request.full_uri' } },
  ),
  acting(
    'rewrite',
    { headers: { 'X-Frame-Options': { operation: 'set', value: 'DENY' } } },
    { headers: { 'X-Frame-Options': { operation: 'remove' }, 'X-A': { operation: 'add', value: 'b' } } },
    { uri: { path: { value: '/new' } } },
  ),
  acting(
    'set_config',
    { security_level: 'high', bic: true },
    { ssl: 'off', rocket_loader: false },
    { bic: true, of_a_later_version: 'on' },
  ),
  fc.record(
    {
      action: fc.constantFrom('block', 'managed_challenge'),
      ...said,
      ratelimit: fc.record(
        {
          characteristics: fc.constantFrom(['cf.colo.id', 'ip.src'], ['cf.colo.id']),
          period: fc.constantFrom(10, 60),
          requests_per_period: fc.constantFrom(5, 50),
          mitigation_timeout: fc.constantFrom(0, 60),
          counting_expression: fc.constantFrom('http.host eq "a.example"', 'http.response.code eq 404'),
          requests_to_origin: fc.boolean(),
        },
        { requiredKeys: ['characteristics', 'period', 'requests_per_period'] },
      ),
    },
    { requiredKeys: ['action', 'expression', 'description', 'enabled', 'ratelimit'] },
  ),
  fc.record({
    action: fc.constant('block'),
    ...said,
    extra: fc.constantFrom({ later: true }, { later: [1, { deep: 'x' }], much_later: 'y' }),
  }),
);

/** Contents of rules: half of them firewall rules, so that equal ones stay common. */
export const contents: fc.Arbitrary<RuleContent> = fc.oneof(firewallContents, others);

/** The same content as another person or a formatter may write it; unchanged if there is no other way to write it. */
export function respelled(content: RuleContent): fc.Arbitrary<RuleContent> {
  const { extra, logging, ratelimit, action_parameters: parameters, ...rest } = content;
  const expression = fc.constantFrom(
    content.expression,
    `(${content.expression})`,
    `  ${content.expression}\n`,
    content.expression.replaceAll(' eq ', ' == '),
    content.expression.replaceAll('cf.client.bot', '( cf.client.bot )'),
  );
  return fc.record({ expression, drops: fc.boolean() }).map(({ expression: text, drops }): RuleContent => {
    const kept = { ...rest, expression: text };
    return {
      ...kept,
      ...(parameters === undefined ? {} : { action_parameters: drops ? reordered(parameters) : parameters }),
      ...(logging === undefined || (drops && logging['enabled'] === true) ? {} : { logging }),
      ...(ratelimit === undefined ? {} : { ratelimit: drops ? withoutDefaults(ratelimit) : ratelimit }),
      // A file may leave these out: a plan keeps fields that only live has.
      ...(extra === undefined || drops ? {} : { extra }),
    };
  });
}

/** The same parameters: unordered lists and keys reordered, a default spelled out, and left out what a plan keeps from live. */
function reordered(parameters: JsonObject): JsonObject {
  const { overrides, products, new_thing: _new, of_a_later_version: _later, ...rest } = parameters;
  const { rules, ...wide } = objectOf(overrides);
  return {
    ...(products === undefined ? {} : { products: listOf(products).toReversed() }),
    ...(overrides === undefined
      ? {}
      : { overrides: { ...(rules === undefined ? {} : { rules: listOf(rules).toReversed() }), ...wide } }),
    ...Object.fromEntries(Object.entries(rest).toReversed()),
    ...(rest['id'] === undefined ? {} : { version: 'latest' }),
  };
}

function withoutDefaults(ratelimit: JsonObject): JsonObject {
  const { mitigation_timeout: _chosen, requests_to_origin, characteristics, ...rest } = ratelimit;
  return {
    ...rest,
    characteristics: listOf(characteristics).toReversed(),
    ...(requests_to_origin === true ? { requests_to_origin } : {}),
  };
}

/** An expression without what `respelled` varies: white space, parentheses, and `==` for `eq`. */
export function plainly(expression: string): string {
  return expression.replaceAll('==', 'eq').replaceAll(/[()\s]/gu, '');
}
