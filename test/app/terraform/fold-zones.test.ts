import { describe, expect, test } from 'vitest';
import { foldZones } from '../../../src/app/terraform/fold-zones.ts';
import type { JsonObject, JsonValue } from '../../../src/data/index.ts';

const rule = (more: JsonObject): JsonObject => ({ ref: 'door', expression: 'ssl', action: 'block', ...more });

const zone = (name: string, ...rules: readonly JsonObject[]) => ({
  name,
  body: { entrypoints: { http_request_firewall_custom: { rules } } },
});

const local = (name: string, value: JsonValue, attributes: readonly string[] = ['expression']) => ({
  key: `./local.${name}`,
  name,
  value,
  above: [],
  attributes: new Set(attributes),
});

/** Zones with one rule each, and what their common rule and their variables are; null where they are not alike. */
const CASES: readonly (readonly [string, readonly JsonObject[], JsonObject | null, readonly JsonObject[]])[] =
  [
    ['the same', [{}, {}], {}, [{}, {}]],
    [
      'the name of the zone in a literal, and in a text',
      [
        { expression: 'http.host eq "a.example"', description: 'For a.example' },
        { expression: 'http.host eq "b.example"', description: 'For b.example' },
      ],
      // eslint-disable-next-line no-template-curly-in-string
      { expression: 'http.host eq ${domain}', description: 'For ${domain}' },
      [{ domain: 'a.example' }, { domain: 'b.example' }],
    ],
    [
      'the name of the zone within a literal',
      [
        { expression: 'http.referer contains "https://a.example/"' },
        { expression: 'http.referer contains "https://b.example/"' },
      ],
      { expression: 'http.referer contains "https://${domain}/"' },
      [{ domain: 'a.example' }, { domain: 'b.example' }],
    ],
    [
      'a literal, a number, an address and a set',
      [
        {
          expression:
            'http.host eq "x" and cf.waf.score lt 10 and ip.src eq 192.0.2.1 and ip.src in {192.0.2.0/24}',
        },
        {
          expression:
            'http.host eq "y" and cf.waf.score lt 20 and ip.src eq 192.0.2.1 and ip.src in {192.0.3.0/24 2001:db8::/32}',
        },
      ],
      null,
      [],
    ],
    [
      'a set of another length',
      [{ expression: 'ip.src in {192.0.2.1}' }, { expression: 'ip.src in {192.0.2.1 192.0.2.2}' }],
      { expression: 'ip.src in ${door_src}' },
      [{ door_src: ['192.0.2.1'] }, { door_src: ['192.0.2.1', '192.0.2.2'] }],
    ],
    [
      'a number beside the expression',
      [
        { ratelimit: { period: 60, requests_per_period: 20 } },
        { ratelimit: { period: 60, requests_per_period: 21 } },
      ],
      { ratelimit: { period: 60, requests_per_period: '${door_requests_per_period}' } },
      [{ door_requests_per_period: 20 }, { door_requests_per_period: 21 }],
    ],
    [
      'refs that are only ids',
      [{ ref: 'a'.repeat(32) }, { ref: 'b'.repeat(32) }],
      { ref: undefined as unknown as string },
      [{}, {}],
    ],
    ['another action', [{ action: 'block' }, { action: 'log' }], null, []],
    ['another name', [{ ref: 'door' }, { ref: 'gate' }], null, []],
    ['another field', [{ expression: 'http.host eq "x"' }, { expression: 'http.cookie eq "x"' }], null, []],
    [
      'a literal with an escape',
      [{ expression: String.raw`http.host eq "\"x"` }, { expression: 'http.host eq "y"' }],
      null,
      [],
    ],
  ];

describe('zones that are alike', () => {
  test.each(CASES)('%s', (_what, rules, shared, vars) => {
    const zones = rules.map((one, index) => zone(`${'ab'[index]}.example`, rule(one)));
    const found = foldZones(zones, { taken: [], alike: true });
    expect(found).toHaveLength(shared === null ? 0 : 1);
    const said = found.flatMap(({ body, zones: entries, vars: usual }) => [
      {
        body,
        each: entries.map((entry) => ({
          ...usual,
          ...(typeof entry === 'string' ? {} : Object(entry).vars),
        })),
      },
    ]);
    expect(said).toEqual(shared === null ? [] : [{ body: zone('', rule(shared)).body, each: vars }]);
  });

  test('what most have is said once, and names that are taken are avoided', () => {
    const zones = ['a', 'b', 'c'].map((name) =>
      zone(`${name}.example`, rule({ expression: `cf.waf.score lt ${name === 'c' ? 9 : 7}` })),
    );
    expect(foldZones(zones, { taken: ['door_score'], alike: true })).toMatchObject([
      {
        vars: { door_score_2: 7 },
        zones: ['a.example', 'b.example', { name: 'c.example', vars: { door_score_2: 9 } }],
      },
    ]);
  });

  test('zones that differ in too much are not alike', () => {
    const differing = (name: string): JsonObject =>
      rule({ expression: `http.host eq "${name}1" or http.host eq "${name}2"` });
    expect(
      foldZones([zone('x', differing('a')), zone('y', differing('b'))], { taken: [], alike: true }),
    ).toEqual([]);
  });

  test('the configuration names what differs, and its locals', () => {
    const named = (name: string, limit: number) => ({
      ...zone(name, rule({ expression: `cf.waf.score lt ${limit} and ip.src in {192.0.2.1 192.0.2.2}` })),
      names: {
        items: new Map([['limit', limit]]),
        locals: new Map([
          ['./local.office', local('office', ['192.0.2.1', '192.0.2.2'])],
          ['./local.unused', local('unused', ['192.0.2.1'])],
        ]),
      },
    });
    const zones = [named('a.example', 7), named('b.example', 9)];
    const office = ['192.0.2.1', '192.0.2.2'];
    // eslint-disable-next-line no-template-curly-in-string
    const both = rule({ expression: 'cf.waf.score lt ${limit} and ip.src in ${office}' });
    expect(foldZones(zones, { taken: [], alike: true })).toMatchObject([
      { variables: ['limit'], vars: { office }, body: zone('', both).body },
    ]);
    // eslint-disable-next-line no-template-curly-in-string
    const alone = rule({ expression: 'cf.waf.score lt 7 and ip.src in ${office}' });
    expect(foldZones(zones, { taken: [], alike: false })[0]).toMatchObject({
      vars: { office },
      zones: ['a.example'],
      body: zone('', alone).body,
    });
  });

  /** A value of a rule, a local with the attributes that use it, and what the rule has then; null where it stays. */
  const LOCALS: readonly (readonly [string, JsonObject, ReturnType<typeof local>, JsonObject | null])[] = [
    [
      'a whole description',
      { description: 'Ask Ann' },
      local('note', 'Ask Ann', ['description']),
      // eslint-disable-next-line no-template-curly-in-string
      { description: '${note}' },
    ],
    [
      'a word of a description',
      { description: 'Block shop, not shops or workshop' },
      local('brand', 'shop', ['description']),
      // eslint-disable-next-line no-template-curly-in-string
      { description: 'Block ${brand}, not shops or workshop' },
    ],
    [
      'a word of a literal',
      { expression: 'http.host eq "www.shop.example"' },
      local('domain', 'shop.example'),
      // eslint-disable-next-line no-template-curly-in-string
      { expression: 'http.host eq "www.${domain}"' },
    ],
    [
      'a path behind a host',
      { description: 'https://a.example/shop, not /shopping' },
      local('path', '/shop', ['description']),
      // eslint-disable-next-line no-template-curly-in-string
      { description: 'https://a.example${path}, not /shopping' },
    ],
    [
      'a number of a parameter',
      { action_parameters: { edge_ttl: { default: 3600 }, browser_ttl: 3600 } },
      local('ttl', 3600, ['default']),
      // eslint-disable-next-line no-template-curly-in-string
      { action_parameters: { edge_ttl: { default: '${ttl}' }, browser_ttl: 3600 } },
    ],
    [
      'a list of a parameter',
      { ratelimit: { characteristics: ['cf.colo.id', 'ip.src'] } },
      local('by', ['cf.colo.id', 'ip.src'], ['characteristics']),
      // eslint-disable-next-line no-template-curly-in-string
      { ratelimit: { characteristics: '${by}' } },
    ],
    // eslint-disable-next-line no-template-curly-in-string
    ['a switch', { enabled: false }, local('on', false, ['enabled']), { enabled: '${on}' }],
    ['the same value elsewhere', { description: 'block' }, local('mode', 'block', ['x']), null],
    ['a ref', { ref: 'door' }, local('name', 'door', ['ref']), null],
    ['a short text in a longer one', { description: 'a b' }, local('one', 'a', ['description']), null],
    ['a raw literal', { expression: 'http.host eq r"shop.example"' }, local('domain', 'shop.example'), null],
    ['what a reference has', { description: '$${shop}' }, local('brand', 'shop', ['description']), null],
  ];

  test.each(LOCALS)('a local is a variable, or not: %s', (_what, more, literal, shared) => {
    const one = {
      ...zone('a.example', rule(more)),
      names: { items: new Map(), locals: new Map([[literal.key, literal]]) },
    };
    const found = foldZones([one], { taken: [], alike: false });
    expect(found.map(({ body, vars }) => ({ body, vars }))).toEqual(
      shared === null
        ? []
        : [{ body: zone('', rule({ ...more, ...shared })).body, vars: { [literal.name]: literal.value } }],
    );
  });
});
