import { describe, expect, test } from 'vitest';
import { zonePacks } from '../../../src/app/terraform/zone-packs.ts';
import type { JsonObject, JsonValue } from '../../../src/data/index.ts';

/* eslint-disable no-template-curly-in-string */

const rule = (more: JsonObject): JsonObject => ({ ref: 'door', expression: 'ssl', action: 'block', ...more });

interface BlockInZone {
  readonly resource?: string;
  readonly key?: string;
  readonly rules: readonly JsonObject[];
}

const OFFICE = {
  key: './local.office',
  name: 'office',
  value: ['192.0.2.1', '192.0.2.2'],
  above: [],
  attributes: new Set(['expression']),
};

const zone = (
  name: string,
  blocks: readonly BlockInZone[],
  items: Readonly<Record<string, JsonValue>> = {},
) => ({
  name,
  names: {
    items: new Map(Object.entries(items)),
    locals: new Map([['./local.office', OFFICE]]),
  },
  rulesets: blocks.map(({ resource = 'waf', key = 'http_request_firewall_custom', rules }) => ({
    resource: `cloudflare_ruleset.${resource}`,
    resourceName: resource,
    key,
    value: { rules },
  })),
});

const packsOf = (
  zones: readonly ReturnType<typeof zone>[],
  more: Partial<Parameters<typeof zonePacks>[1]> = {},
) =>
  zonePacks(zones, { apart: () => true, taken: new Set(), packs: new Set(), ...more }).map(
    ({ name, members, rules, vars, locals }) => ({
      name,
      zones: members.map((one) => one.name).join(' '),
      rules,
      vars: Object.fromEntries(vars),
      locals: [...locals.keys()],
    }),
  );

const both = (a: JsonObject, b: JsonObject) => [
  zone('a.example', [{ rules: [rule(a)] }]),
  zone('b.example', [{ rules: [rule(b)] }]),
];

describe('packs of a block of Terraform', () => {
  test('the same rules', () => {
    expect(packsOf(both({}, {}))).toEqual([
      { name: 'waf', zones: 'a.example b.example', rules: [rule({})], vars: {}, locals: [] },
    ]);
  });

  test('what differs is a variable of the zones, and a local is a parameter', () => {
    const of = (host: string, limit: number): JsonObject => ({
      expression: `http.host eq "${host}" and ip.src in {192.0.2.1 192.0.2.2} and cf.waf.score lt ${limit}`,
    });
    expect(packsOf(both(of('a.example', 7), of('b.example', 9)))).toMatchObject([
      {
        rules: [
          { expression: 'http.host eq ${domain} and ip.src in ${office} and cf.waf.score lt ${door_score}' },
        ],
        vars: { domain: ['a.example', 'b.example'], door_score: [7, 9] },
        locals: ['office'],
      },
    ]);
  });

  test('the action may differ, and so may what only some zones say', () => {
    const [pack] = packsOf(both({}, { action: 'log', enabled: false, description: 'Not yet' }));
    expect(pack).toMatchObject({
      rules: [
        rule({ action: '${door_action}', enabled: '${door_enabled}', description: '${door_description}' }),
      ],
      vars: {
        door_action: ['block', 'log'],
        door_enabled: [true, false],
        door_description: ['', 'Not yet'],
      },
    });
  });

  test('zones that lie together, and rules that are not alike, make none', () => {
    expect(packsOf(both({}, {}), { apart: () => false })).toEqual([]);
    expect(packsOf(both({}, { ref: 'gate' }))).toEqual([]);
    expect(packsOf([zone('a.example', [{ rules: [] }]), zone('b.example', [{ rules: [] }])])).toEqual([]);
    const other = [
      zone('a.example', [{ rules: [rule({})] }]),
      zone('b.example', [{ resource: 'b', rules: [rule({})] }]),
    ];
    expect(packsOf(other)).toEqual([]);
  });

  test('a block with rules for some of its zones makes a pack of each kind, and names are free', () => {
    const of = (name: string, ...more: readonly JsonObject[]) => zone(name, [{ rules: [rule({}), ...more] }]);
    const extra = rule({ ref: 'more' });
    const zones = [of('a.example'), of('b.example', extra), of('c.example'), of('d.example', extra)];
    expect(packsOf(zones, { packs: new Set(['waf-2']) })).toMatchObject([
      { name: 'waf', zones: 'a.example c.example' },
      { name: 'waf-3', zones: 'b.example d.example' },
    ]);
  });

  test('a run of rules that all zones have is a pack, if that is more than whole rulesets', () => {
    const rules = (...refs: readonly string[]) => refs.map((ref) => rule({ ref }));
    const of = (...lists: readonly (readonly JsonObject[])[]) =>
      zonePacks(
        lists.map((list, at) => zone(`${'abcd'[at]}.example`, [{ rules: list }])),
        { apart: () => true, taken: new Set(), packs: new Set() },
      ).map((pack) => ({
        refs: pack.rules.map((one) => Object(one).ref),
        at: Object.fromEntries(pack.members.map(({ name }, index) => [name[0], pack.places[index]])),
      }));
    const packed = [{ refs: ['x', 'y'], at: { a: 0, b: 1, c: 2 } }];
    expect(of(rules('x', 'y'), rules('own', 'x', 'y'), rules('one', 'y', 'x', 'y', 'two'))).toEqual(packed);
    // One rule alone is not worth a file, and neither is a run where more rules are in whole rulesets.
    expect(of(rules('x'), rules('own', 'x'))).toEqual([]);
    expect(of(rules('x', 'y', 'z'), rules('x', 'y', 'z'), rules('x', 'y'))).toEqual([
      { refs: ['x', 'y', 'z'], at: { a: 0, b: 0 } },
    ]);
    expect(of(rules('x', 'y'), rules('y', 'x'), [])).toEqual([]);
  });

  test('packs share a variable where each zone has the same value, and no other', () => {
    const of = (name: string, one: number, other: number) =>
      zone(name, [
        { resource: 'one', rules: [rule({ expression: `cf.waf.score lt ${one}` })] },
        {
          resource: 'other',
          key: 'http_ratelimit',
          rules: [rule({ expression: `cf.waf.score lt ${other} and http.host eq "${name}"` })],
        },
      ]);
    expect(packsOf([of('a.example', 1, 1), of('b.example', 2, 2)])).toMatchObject([
      { vars: { door_score: [1, 2] } },
      { vars: { door_score: [1, 2], domain: ['a.example', 'b.example'] } },
    ]);
    expect(packsOf([of('a.example', 1, 1), of('b.example', 2, 3)])).toMatchObject([
      { vars: { door_score: [1, 2] } },
      { vars: { door_score_2: [1, 3] } },
    ]);
  });

  test('too much that differs makes none, unless the configuration names it', () => {
    const fields = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const of = (name: string, items: Readonly<Record<string, JsonValue>>) =>
      zone(
        name,
        [
          {
            rules: fields.map((field) =>
              rule({
                ref: field,
                expression: `http.user_agent eq "${name} ${field}"`.replace('.example', ''),
              }),
            ),
          },
        ],
        items,
      );
    const named = (name: string) => Object.fromEntries(fields.map((field) => [field, `${name} ${field}`]));
    expect(packsOf([of('a.example', {}), of('b.example', {})])).toEqual([]);
    expect(packsOf([of('a.example', named('a')), of('b.example', named('b'))])).toMatchObject([
      { vars: { a: ['a a', 'b a'], g: ['a g', 'b g'] } },
    ]);
  });
});
