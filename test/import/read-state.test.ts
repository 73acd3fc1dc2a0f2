import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { isJsonArray, isJsonObject, objectOf, objectsIn, parsedJson } from '../../src/data/index.ts';
import type { JsonValue } from '../../src/data/index.ts';
import { readResources, readState, secretsOfRule, wayOut, withoutUnset } from '../../src/import/index.ts';
import type { TerraformState } from '../../src/import/index.ts';

const ZONE = 'a'.repeat(32);
const ID = 'b'.repeat(32);

const ruleset = (more: object = {}): object => ({
  zone_id: ZONE,
  id: ID,
  kind: 'zone',
  phase: 'http_request_firewall_custom',
  name: 'default',
  rules: [],
  ...more,
});

const resource = (more: object, instances: readonly object[]): object => ({
  mode: 'managed',
  type: 'cloudflare_ruleset',
  name: 'waf',
  provider: 'provider["registry.terraform.io/cloudflare/cloudflare"]',
  instances,
  ...more,
});

const state = (...resources: readonly object[]): string =>
  JSON.stringify({ version: 4, terraform_version: '1.9.0', resources });

function read(text: string): TerraformState {
  const reading = readState(text);
  if (reading.kind === 'refused') {
    throw new Error(reading.message);
  }
  return reading;
}

test.each([
  ['a saved plan', 'PK\u0003\u0004', "is a saved plan in Terraform's own form"],
  ['configuration', 'resource "cloudflare_ruleset" "waf" {\n}', 'is not JSON but configuration'],
  ['a text', 'No state.', 'is not JSON'],
  ['nothing', '\n', 'is empty'],
  ['another JSON', '{"zones":[]}', 'is JSON, but no state'],
  ['a list', '[]', 'is JSON, but no state'],
  ['an old state', '{"version":3,"modules":[]}', 'is a state of version 3 or older'],
  ['a newer state', '{"version":5,"resources":[]}', 'is a state of version 5'],
  ['an encrypted state', '{"encrypted_data":"x"}', 'is encrypted'],
  ['a deep state', `{"version":4,"resources":${'['.repeat(80)}${']'.repeat(80)}}`, 'is nested more than 64'],
  ['a bottomless state', '['.repeat(200_000), 'is not JSON'],
])('%s is refused, with what to give instead', (_what, text, message) => {
  const reading = readState(text);
  expect(reading).toMatchObject({ kind: 'refused', hint: expect.stringMatching(/\S/u) });
  expect(reading.kind === 'refused' && reading.message).toContain(message);
});

describe('addresses', () => {
  test.each([
    ['one instance', {}, {}, 'cloudflare_ruleset.waf', 'cloudflare_ruleset.waf'],
    ['count', {}, { index_key: 1 }, 'cloudflare_ruleset.waf[1]', 'cloudflare_ruleset.waf'],
    [
      'for_each in a module with keys',
      { module: 'module.edge["eu"].module.zone[0]' },
      { index_key: 'shop.example' },
      'module.edge["eu"].module.zone[0].cloudflare_ruleset.waf["shop.example"]',
      'module.edge.module.zone.cloudflare_ruleset.waf',
    ],
    [
      'a key that would end the quotes, begin a line and act on a terminal',
      {},
      { index_key: '"]\n\u{1b}[2J${x}\\' },
      String.raw`cloudflare_ruleset.waf["\"]\n\u001b[2J$${'$'}{x}\\"]`,
      'cloudflare_ruleset.waf',
    ],
  ])('%s', (_what, head, instance, whole, block) => {
    const { instances } = read(state(resource(head, [{ ...instance, attributes: ruleset() }])));
    expect(instances.map(({ address }) => [address.instance, address.resource])).toEqual([[whole, block]]);
  });

  test.each([
    ['a name with a line break', { name: 'waf\n}' }],
    ['a module that is none', { module: 'data.x"; rm -rf' }],
    ['a type with a path', { type: '../../x' }],
  ])('%s is no address, and the entry is not used', (_what, head) => {
    const found = read(state(resource(head, [{ attributes: ruleset() }])));
    expect(found.instances).toEqual([]);
    expect(found.unusable).toHaveLength(1);
  });
});

describe('rules, in the shapes of every version of the provider', () => {
  const rules: readonly (readonly [string, object, object])[] = [
    [
      'null is absent',
      { action: 'block', expression: 'ssl', logging: null, action_parameters: { response: null } },
      { action: 'block', expression: 'ssl', action_parameters: {} },
    ],
    [
      'blocks of version 4',
      {
        action: 'execute',
        action_parameters: [
          {
            id: ID,
            uri: [],
            overrides: [{ action: 'log', categories: [{ category: 'x', enabled: false }], rules: [] }],
          },
        ],
      },
      {
        action: 'execute',
        action_parameters: {
          id: ID,
          overrides: { action: 'log', categories: [{ category: 'x', enabled: false }], rules: [] },
        },
      },
    ],
    [
      'headers of version 4 by name',
      {
        action: 'rewrite',
        action_parameters: [
          {
            headers: [
              { name: 'X-A', operation: 'set', value: '1', expression: null },
              { name: 'X-B', operation: 'remove', value: null, expression: null },
            ],
          },
        ],
      },
      {
        action: 'rewrite',
        action_parameters: {
          headers: { 'X-A': { operation: 'set', value: '1' }, 'X-B': { operation: 'remove' } },
        },
      },
    ],
    [
      'rules to skip, and fields to log, of version 4',
      {
        action: 'skip',
        action_parameters: [{ rules: { [ID]: `${ZONE}, ${ID}` }, cookie_fields: ['sid'] }],
      },
      {
        action: 'skip',
        action_parameters: { rules: { [ID]: [ZONE, ID] }, cookie_fields: [{ name: 'sid' }] },
      },
    ],
    [
      'words of version 3',
      {
        action: 'execute',
        action_parameters: [{ overrides: [{ status: 'disabled', rules: [{ id: ID, status: 'enabled' }] }] }],
      },
      {
        action: 'execute',
        action_parameters: { overrides: { enabled: false, rules: [{ id: ID, enabled: true }] } },
      },
    ],
    [
      'cache keys and rate limits of version 4',
      {
        action: 'set_cache_settings',
        ratelimit: [{ period: 60, characteristics: ['ip.src'] }],
        action_parameters: [
          {
            cache_key: [{ custom_key: [{ query_string: [{ include: ['*'] }], host: [{ resolved: true }] }] }],
            edge_ttl: [{ status_code_ttl: [{ status_code_range: [{ from: 200, to: 299 }], value: 60 }] }],
          },
        ],
      },
      {
        action: 'set_cache_settings',
        ratelimit: { period: 60, characteristics: ['ip.src'] },
        action_parameters: {
          cache_key: { custom_key: { query_string: { include: ['*'] }, host: { resolved: true } } },
          edge_ttl: { status_code_ttl: [{ status_code_range: { from: 200, to: 299 }, value: 60 }] },
        },
      },
    ],
    [
      'directives of version 5',
      { action: 'set_cache_control', action_parameters: { s_maxage: { operation: 'set', value: 60 } } },
      { action: 'set_cache_control', action_parameters: { 's-maxage': { operation: 'set', value: 60 } } },
    ],
    [
      'what a later version adds stays as it is',
      { action: 'new_action', action_parameters: { thing: { list: [{ a: 1 }] } } },
      { action: 'new_action', action_parameters: { thing: { list: [{ a: 1 }] } } },
    ],
  ];
  test.each(rules)('%s', (_what, rule, wire) => {
    const { rulesets } = readResources(
      read(state(resource({}, [{ attributes: ruleset({ rules: [rule] }) }]))),
    );
    expect(rulesets.flatMap((one) => one.rules.map((each) => each.wire))).toEqual([wire]);
  });

  it('takes what version 3 wrote for what nobody set as absent where live lacks it, and only there', () => {
    const said = { enabled: true, ratelimit: { period: 60, requests_to_origin: false }, description: '' };
    expect(withoutUnset(said, { enabled: true, ratelimit: { period: 60 } })).toEqual({
      enabled: true,
      ratelimit: { period: 60 },
    });
    expect(withoutUnset(said, { ratelimit: { requests_to_origin: true }, description: 'x' })).toEqual(said);
  });
});

test.each([
  ['the same ruleset at two addresses', ruleset(), ruleset()],
  ['two rulesets for one phase', ruleset(), ruleset({ id: 'c'.repeat(32) })],
])('%s are left to Terraform, both named', (_what, one, other) => {
  const found = readResources(
    read(state(resource({}, [{ attributes: one }]), resource({ name: 'again' }, [{ attributes: other }]))),
  );
  expect(found.rulesets).toEqual([]);
  expect(found.left.map(({ address, why }) => `${address.instance}: ${why}`)).toEqual([
    expect.stringMatching(/^cloudflare_ruleset\.waf: cloudflare_ruleset\.again is the same/u),
    expect.stringMatching(/^cloudflare_ruleset\.again: cloudflare_ruleset\.waf is the same/u),
  ]);
});

describe('secrets', () => {
  const SECRET = 'correct-horse-battery';
  const compared = `http.request.uri.path eq "/deploy" and http.request.headers["x-door"][0] eq "${SECRET}"`;
  const header = { headers: { 'X-Door': { operation: 'set', value: SECRET } } };
  const path = (...steps: readonly (string | number)[]): object =>
    steps.map((value) =>
      typeof value === 'number'
        ? { type: 'index', value: { type: 'number', value } }
        : { type: 'get_attr', value },
    );
  const UNTOLD = { kind: 'untold', why: expect.any(String) };
  const told = [{ text: SECRET, name: expect.any(String) }];
  test.each([
    ['a marked expression', { expression: compared }, [path('rules', 0, 'expression')], told],
    ['all rules marked', { expression: compared }, [path('rules')], told],
    [
      'a marked header value',
      { expression: 'ssl', action_parameters: header },
      [path('rules', 0, 'action_parameters', 'headers', 'X-Door', 'value')],
      told,
    ],
    [
      'a marked literal that no header is compared with',
      { expression: `http.host eq "${SECRET}"` },
      [path('rules', 0, 'expression')],
      told,
    ],
    ['nothing marked', { expression: `http.host eq "${SECRET}"` }, [], []],
    ['a marked expression without literals', { expression: 'ssl' }, [path('rules', 0, 'expression')], null],
    ['all marked, and nothing that could be it', { expression: 'ssl' }, [path('rules')], null],
    [
      'a secret that no variable can hold',
      { expression: 'ssl', description: 'a"b' },
      [path('rules', 0, 'description')],
      null,
    ],
  ])('%s', (_what, rule, sensitive_attributes, wanted) => {
    const attributes = ruleset({ rules: [{ action: 'rewrite', ...rule }] });
    const { rulesets } = readResources(read(state(resource({}, [{ attributes, sensitive_attributes }]))));
    const found = rulesets.flatMap(({ rules, marked, phase }) =>
      rules.map(({ wire }, index) => secretsOfRule(wire, { phase, index, marked })),
    );
    expect(found).toEqual([wanted === null ? UNTOLD : { kind: 'told', secrets: wanted }]);
  });
});

describe('the way out', () => {
  const instances = read(
    state(
      resource({}, [
        { index_key: 'a', attributes: {} },
        { index_key: "b'c", attributes: {} },
      ]),
      resource({ name: 'one', module: 'module.m["x"]' }, [{ attributes: {} }]),
    ),
  ).instances.map(({ address }) => address);
  const [a, b, one] = instances;

  test.each([
    ['terraform', '1.9.0', 'lifecycle'],
    ['terraform', '1.6.6', null],
    ['opentofu', '1.9.4', 'bare'],
    ['opentofu', '1.12.6-dev', 'lifecycle'],
    ['opentofu', '1.6.2', null],
  ] as const)('%s %s', (tool, version, form) => {
    const { removed, commands } = wayOut(
      { tool, version, unusable: [] },
      { imported: instances, all: instances },
    );
    expect(removed?.match(/from = .*/gu) ?? []).toEqual(
      form === null ? [] : ['from = cloudflare_ruleset.waf', 'from = module.m.cloudflare_ruleset.one'],
    );
    expect(removed?.includes('destroy = false') ?? false).toBe(form === 'lifecycle');
    expect(commands).toHaveLength(form === null ? 3 : 0);
  });

  it('names a resource only where all of its instances were imported, and quotes single ones', () => {
    const imported = [b, one].filter((each) => each !== undefined);
    const out = wayOut({ tool: 'terraform', version: '1.9.0', unusable: [] }, { imported, all: instances });
    expect(out.resources).toEqual(['module.m.cloudflare_ruleset.one']);
    expect(out.commands).toEqual([String.raw`terraform state rm 'cloudflare_ruleset.waf["b'\''c"]'`]);
    expect(a?.instance).toBe('cloudflare_ruleset.waf["a"]');
  });

  it('names no resource of which the state has an instance that cannot be used', () => {
    const unusable = [{ why: 'a deposed object', resource: 'module.m.cloudflare_ruleset.one' }];
    const out = wayOut(
      { tool: 'terraform', version: '1.9.0', unusable },
      { imported: instances, all: instances },
    );
    expect(out.resources).toEqual(['cloudflare_ruleset.waf']);
    expect(out.commands).toEqual([String.raw`terraform state rm 'module.m["x"].cloudflare_ruleset.one'`]);
  });
});

const corpus = process.env['RULEWRIGHT_CORPUS'];

// Version 5 keeps in a state what it sends, with null for what is not set, and without dashes.
test.skipIf(corpus === undefined)(
  'each rule that the provider sent is read from a state as it was sent (RULEWRIGHT_CORPUS)',
  () => {
    const stated = (value: JsonValue): JsonValue => {
      if (isJsonArray(value)) {
        return value.map(stated);
      }
      return isJsonObject(value)
        ? {
            ...Object.fromEntries(Object.entries(value).map(([key, one]) => [key, stated(one)])),
            unset: null,
          }
        : value;
    };
    const lines = readFileSync(join(corpus ?? '', 'corpus', 'provider-requests.jsonl'), 'utf8').split('\n');
    const rules = lines.flatMap((line) => objectsIn(objectOf(objectOf(parsedJson(line))['body'])['rules']));
    expect(rules.length).toBeGreaterThan(100);
    const dashless = JSON.stringify(rules.map(stated)).replaceAll(
      /"(?:max-age|s-maxage|no-[a-z]+|must-[a-z]+|stale-[a-z-]+|proxy-revalidate)":/gu,
      (all) => all.replaceAll('-', '_'),
    );
    const { rulesets } = readResources(
      read(
        state(resource({}, [{ schema_version: 500, attributes: ruleset({ rules: JSON.parse(dashless) }) }])),
      ),
    );
    expect(rulesets.flatMap((one) => one.rules.map(({ wire }) => wire))).toEqual(rules);
  },
);
