import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readResources, readState } from '../../src/import/index.ts';
import { propertyRuns } from '../property-runs.ts';

const ZONE = 'a'.repeat(32);
const ACCOUNT = 'b'.repeat(32);
const LIST = 'd'.repeat(32);

const resource = (type: string, attributes: object, more: object = {}): object => ({
  mode: 'managed',
  type,
  name: 'one',
  module: 'module.edge["eu"]',
  provider: 'provider["registry.terraform.io/cloudflare/cloudflare"]',
  instances: [{ index_key: 'shop', schema_version: 500, attributes, ...more }],
});

const RULE = {
  id: 'c'.repeat(32),
  ref: 'one',
  action: 'execute',
  expression: 'true',
  action_parameters: {
    headers: [{ name: 'x', value: 'y' }],
    overrides: { rules: [{ id: 'e'.repeat(32), status: 'enabled' }], categories: [] },
    rules: { [LIST]: 'a,b' },
  },
};

/** A state with one instance of each type that an import takes. */
const STATE = {
  version: 4,
  terraform_version: '1.9.8',
  resources: [
    resource(
      'cloudflare_ruleset',
      { id: LIST, zone_id: ZONE, kind: 'zone', phase: 'http_request_firewall_managed', rules: [RULE] },
      {
        sensitive_attributes: [
          [
            { type: 'get_attr', value: 'rules' },
            { type: 'index', value: { value: 0 } },
          ],
        ],
      },
    ),
    resource('cloudflare_list', {
      id: LIST,
      account_id: ACCOUNT,
      name: 'l',
      kind: 'ip',
      items: [{ ip: '192.0.2.1' }],
    }),
    resource('cloudflare_list_item', { id: LIST, list_id: LIST, account_id: ACCOUNT, ip: '192.0.2.2' }),
    resource('cloudflare_zone_setting', {
      zone_id: ZONE,
      setting_id: 'ssl',
      value: { value: 'full', type: 'string' },
    }),
    resource('cloudflare_zone_settings_override', { zone_id: ZONE, settings: [{ http2: 'off' }] }),
    resource('cloudflare_managed_headers', {
      zone_id: ZONE,
      managed_request_headers: [{ id: 'add_visitor_location_headers', enabled: true }],
    }),
    resource('cloudflare_page_rule', { zone_id: ZONE }),
  ],
};

/** Values of every kind that a hostile or broken state may have in any place. */
const HOSTILE: readonly string[] = [
  'null',
  'true',
  '-1',
  '1e400',
  '""',
  '"__proto__"',
  '"constructor"',
  String.raw`"\u0000\u001b[31m\u2028\r\n"`,
  '[]',
  '{}',
  '[[]]',
  '[null,1,"a",{}]',
  '{"__proto__":{"polluted":true},"constructor":1}',
  JSON.stringify('x'.repeat(5000)),
  '"module.a.module.a.module.a"',
];

/** The text of a state with some of its values, in the order of the text, replaced. */
function spoilt(places: readonly (readonly [at: number, value: number])[]): string {
  const values: string[] = [];
  const marked = JSON.stringify(STATE, (_key, value: unknown) => value);
  const tokens = [...marked.matchAll(/"(?:[^"\\]|\\.)*"(?!:)|\b\d+\b|\[\]|\{\}/gu)];
  let text = marked;
  for (const [at, value] of places.toSorted((a, b) => b[0] - a[0])) {
    const token = tokens[at % tokens.length];
    if (token !== undefined) {
      values.push(token[0]);
      text =
        text.slice(0, token.index) + (HOSTILE[value] ?? 'null') + text.slice(token.index + token[0].length);
    }
  }
  return text;
}

describe('hostile states', () => {
  test('never stop the reader, and of their managed resources none is lost', () => {
    const place = fc.tuple(fc.nat(200), fc.nat(HOSTILE.length - 1));
    fc.assert(
      fc.property(fc.uniqueArray(place, { maxLength: 4, selector: ([at]) => at }), (places) => {
        const text = spoilt(places);
        const state = readState(text);
        if (state.kind === 'refused') {
          return;
        }
        const { rulesets, lists, settings, left, others } = readResources(state);
        const known = [
          ...rulesets.map(({ address }) => address),
          ...lists.flatMap(({ address, itemAddresses }) => [address, ...itemAddresses]),
          ...settings.map(({ address }) => address),
          ...left.map(({ address }) => address),
        ].map(({ instance }) => instance);
        const elsewhere = state.instances.filter(
          ({ address: { type } }) => others.has(type) || !type.startsWith('cloudflare_'),
        );
        // A resource of another mode is none that Terraform manages.
        const modes = [...text.matchAll(/"mode":"managed"/gu)].length;
        expect(known.length + elsewhere.length + state.unusable.length).toBeGreaterThanOrEqual(modes);
        expect([...known, ...left.map(({ why }) => why)].join('')).not.toMatch(/[\p{Cc}\p{Zl}]/u);
        expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
      }),
      { numRuns: propertyRuns() },
    );
  });

  test.each<[name: string, text: string, message: string]>([
    [
      'nested without an end',
      `{"version":4,"resources":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
      'is nested more than 64 levels deep',
    ],
    ['with modules within modules', shownModules(200), 'is nested more than 64 levels deep'],
    ['cut off', '{"version":4,"resources":[{', 'is not JSON'],
    ['a list', '[]', 'is JSON, but no state of Terraform or OpenTofu'],
    ['without resources', '{"version":4}', 'is JSON, but no state of Terraform or OpenTofu'],
    [
      'with resources that are no list',
      '{"version":4,"resources":{}}',
      'is JSON, but no state of Terraform or OpenTofu',
    ],
  ])('are refused: %s', (_name, text, message) => {
    expect(readState(text)).toMatchObject({ kind: 'refused', message: expect.stringContaining(message) });
  });

  test('entries that are no objects are named', () => {
    const text = JSON.stringify({
      version: 4,
      resources: [
        null,
        7,
        { mode: 'managed', type: 'cloudflare_list', name: 'a', instances: [null, 'x'] },
        { mode: 'managed', type: 'cloudflare_list', name: 'b', instances: {} },
      ],
    });
    expect(readState(text)).toMatchObject({
      kind: 'state',
      unusable: [
        { why: 'entry 1 of its resources is no object', resource: null },
        { why: 'entry 2 of its resources is no object', resource: null },
        { why: 'an instance of "cloudflare_list.a" is no object', resource: 'cloudflare_list.a' },
        { why: 'an instance of "cloudflare_list.a" is no object', resource: 'cloudflare_list.a' },
        { why: 'the instances of "cloudflare_list.b" are no list', resource: 'cloudflare_list.b' },
      ],
    });
  });

  test('an address that stands twice is named once, and neither is taken', () => {
    const one = resource('cloudflare_list', { id: LIST, account_id: ACCOUNT, name: 'l', kind: 'ip' });
    const other = resource('cloudflare_list', { id: ZONE, account_id: ACCOUNT, name: 'm', kind: 'ip' });
    expect(readState(JSON.stringify({ version: 4, resources: [one, other] }))).toMatchObject({
      instances: [],
      unusable: [
        {
          why: 'module.edge["eu"].cloudflare_list.one["shop"]: it is in the state 2 times, which Terraform never writes',
          resource: 'module.edge.cloudflare_list.one',
        },
      ],
    });
  });

  test('a long module path is no address, and is found out at once', () => {
    const text = JSON.stringify({
      version: 4,
      resources: [{ ...resource('cloudflare_list', {}), module: 'module.a.'.repeat(200_000) }],
    });
    expect(readState(text)).toMatchObject({ unusable: [{ why: expect.stringContaining('has no address') }] });
  });
});

function shownModules(depth: number): string {
  const open = '{"child_modules":['.repeat(depth);
  return `{"format_version":"1.0","values":{"root_module":${open}${']}'.repeat(depth)}}}`;
}
