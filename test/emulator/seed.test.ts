import { describe, expect, test } from 'vitest';

import { scopeId, SEED_TOKEN } from '../../src/emulator/index.ts';
import { buildSeed } from '../../src/emulator/seed/build-seed.ts';
import { shopSeed } from '../../src/emulator/seed/shop-seed.ts';
import { blockRule, entryPoint, shop, startBench } from './bench.ts';
import type { RulesetView } from './bench.ts';

const CUSTOM = 'http_request_firewall_custom';

describe('the built-in seed, the shop', () => {
  test('is the same in every emulator', () => {
    expect(buildSeed(shopSeed)).toEqual(buildSeed(shopSeed));
    expect(SEED_TOKEN).toHaveLength(40);
  });

  test('has an Enterprise zone first, without redirect and origin rules', async () => {
    const bench = await startBench();
    const [first] = await bench.ok<readonly { readonly name: string }[]>('GET', '/zones');
    expect(first).toMatchObject({ name: 'shop.example', plan: { legacy_id: 'enterprise' } });
    for (const phase of ['http_request_dynamic_redirect', 'http_request_origin']) {
      expect((await bench.call('GET', entryPoint(shop, phase))).status).toBe(404);
    }
  });

  test('has rules of dashboard users, whose ref is the id, and rules with refs of their own', async () => {
    const bench = await startBench();
    const { rules = [] } = await bench.ok('GET', entryPoint(shop, CUSTOM));
    expect(rules.filter((rule) => rule.ref === rule.id).length).toBeGreaterThan(0);
    expect(rules.map((rule) => rule.ref)).toContain('block-admin');
  });

  test('holds only rulesets that a PUT accepts as they are', async () => {
    const bench = await startBench();
    const scopes = ['/zones', '/accounts'];
    let taken = 0;
    for (const scope of scopes) {
      for (const { id } of await bench.ok<readonly { readonly id: string }[]>('GET', scope)) {
        const list = await bench.ok<readonly RulesetView[]>('GET', `${scope}/${id}/rulesets`);
        const own = list.filter(({ kind }) => (scope === '/zones' ? kind === 'zone' : kind !== 'managed'));
        for (const ruleset of own) {
          const { rules = [] } = await bench.ok('GET', `${scope}/${id}/rulesets/${ruleset.id}`);
          const after = await bench.ok('PUT', `${scope}/${id}/rulesets/${ruleset.id}`, { rules });
          expect(after.rules ?? []).toEqual(rules);
          taken += 1;
        }
      }
    }
    expect(taken).toBe(11);
  });
});

describe('a custom seed', () => {
  test('can hold a ruleset as the service answered it, keeping ids, versions and times', async () => {
    const ruleset = {
      id: 'a'.repeat(32),
      name: 'zone',
      description: 'Recorded',
      source: 'firewall_custom',
      kind: 'zone',
      phase: CUSTOM,
      version: '29',
      last_updated: '2022-12-09T16:53:19.003821Z',
      rules: [
        {
          id: 'b'.repeat(32),
          version: '7',
          action: 'block',
          expression: 'ssl',
          last_updated: '2022-11-07T19:03:05.198191Z',
          ref: 'mine',
          enabled: false,
        },
      ],
    };
    const zones = [{ name: 'z.example', rulesets: [ruleset] }];
    const bench = await startBench({ seed: { version: 1, accounts: [{ name: 'A' }], zones } });
    const zone = `/zones/${scopeId('zone', 'z.example')}`;
    expect(await bench.ok('GET', `${zone}/rulesets/${ruleset.id}`)).toEqual(ruleset);
    expect(await bench.ok('PUT', entryPoint(zone, CUSTOM), { rules: [] })).toMatchObject({ version: '30' });
  });

  test('can have two zones of one name in two accounts, each with its own rules', async () => {
    const twin = (account: string, ref: string) => ({
      name: 'z.example',
      account,
      rulesets: [{ kind: 'zone', phase: CUSTOM, rules: [blockRule({ ref })] }],
    });
    const bench = await startBench({
      seed: {
        version: 1,
        accounts: [{ name: 'A' }, { name: 'B' }],
        zones: [twin('A', 'of-a'), twin('B', 'of-b')],
      },
    });
    const live = await bench.ok<readonly { readonly id: string; readonly account: { name: string } }[]>(
      'GET',
      '/zones?name=z.example',
    );
    expect(live.map(({ account }) => account.name)).toEqual(['A', 'B']);
    const refs = live.map(
      async ({ id }) => (await bench.ok('GET', entryPoint(`/zones/${id}`, CUSTOM))).rules,
    );
    expect(await Promise.all(refs)).toMatchObject([[{ ref: 'of-a' }], [{ ref: 'of-b' }]]);
  });

  test('can have more lists than the plan would allow', async () => {
    const lists = ['a', 'b'].map((name) => ({ name, kind: 'ip' }));
    const bench = await startBench({ seed: { version: 1, accounts: [{ name: 'A', plan: 'free', lists }] } });
    const path = `/accounts/${scopeId('account', 'A')}/rules/lists`;
    expect(await bench.ok('GET', path)).toMatchObject(lists);
  });

  const zone = (members: Readonly<Record<string, unknown>>) => ({
    version: 1,
    accounts: [{ name: 'A' }],
    zones: [{ name: 'z.example', ...members }],
  });
  const lists = (...lists: readonly Readonly<Record<string, unknown>>[]) => ({
    version: 1,
    accounts: [{ name: 'A', lists }],
  });
  const ruleset = (members: Readonly<Record<string, unknown>>) =>
    zone({ rulesets: [{ kind: 'zone', phase: CUSTOM, ...members }] });

  test.each([
    ['nothing', undefined, /seed: invalid JSON/u],
    ['no version', { accounts: [{ name: 'A' }] }, /\/version/u],
    ['another version', { version: 2, accounts: [{ name: 'A' }] }, /\/version/u],
    ['no account', { version: 1, accounts: [] }, /\/accounts/u],
    ['an unknown member', { ...zone({}), color: 1 }, /unknown field "color"/u],
    ['an unknown plan', zone({ plan: 'gold' }), /\/zones\/0\/plan/u],
    ['an unknown account', zone({ account: 'B' }), /account B/u],
    [
      'two accounts of one name',
      { version: 1, accounts: [{ name: 'A' }, { name: 'A' }] },
      /two times A with the id/u,
    ],
    [
      'two zones of one name in one account',
      { ...zone({}), zones: [{ name: 'y' }, { name: 'z', id: 'c'.repeat(32) }, { name: 'z' }] },
      /seed: two zones z in the account A/u,
    ],
    [
      'two zones of one id',
      {
        ...zone({}),
        zones: [
          { name: 'y', id: 'c'.repeat(32) },
          { name: 'z', id: 'c'.repeat(32) },
        ],
      },
      /y and z with the id c/u,
    ],
    [
      'two entry points of a phase',
      zone({
        rulesets: [
          { kind: 'zone', phase: CUSTOM },
          { kind: 'zone', phase: CUSTOM },
        ],
      }),
      /z\.example, http_request_firewall_custom: a phase has one entry point/u,
    ],
    [
      'two rulesets of one id',
      zone({
        rulesets: [
          { kind: 'zone', phase: CUSTOM, id: 'd'.repeat(32) },
          { kind: 'zone', phase: 'http_ratelimit', id: 'd'.repeat(32) },
        ],
      }),
      /another ruleset has the id d/u,
    ],
    [
      'two rules of one ref',
      zone({
        rulesets: [
          {
            kind: 'zone',
            phase: CUSTOM,
            rules: [
              { ref: 'x', action: 'block', expression: 'ssl' },
              { ref: 'x', action: 'log', expression: 'not ssl' },
            ],
          },
        ],
      }),
      /'x' is not a valid value for ref because it is already used/u,
    ],
    [
      'two rules of one id',
      zone({
        rulesets: [
          {
            kind: 'zone',
            phase: CUSTOM,
            rules: [
              { id: 'd'.repeat(32), ref: 'x', action: 'block', expression: 'ssl' },
              { id: 'd'.repeat(32), ref: 'y', action: 'log', expression: 'not ssl' },
            ],
          },
        ],
      }),
      /is not a valid value for id because it is already used/u,
    ],
    [
      'two lists of one name in one account',
      lists({ name: 'a', kind: 'ip' }, { name: 'a', kind: 'asn', id: 'e'.repeat(32) }),
      /seed: A: two lists a/u,
    ],
    [
      'two lists of one id',
      lists({ name: 'a', kind: 'ip', id: 'e'.repeat(32) }, { name: 'b', kind: 'ip', id: 'e'.repeat(32) }),
      /seed: A: the lists a and b have the id e/u,
    ],
    ['an unknown phase', ruleset({ phase: 'x' }), /z\.example, x: zones have no rulesets/u],
    ['a kind of the other level', ruleset({ kind: 'root' }), /kind root/u],
    [
      'a rule that the service refuses',
      ruleset({ rules: [blockRule({ action: 'route' })] }),
      /z\.example.+\/rules\/0/u,
    ],
    ['an unknown rule field', ruleset({ rules: [blockRule({ when: 1 })] }), /unknown field "when"/u],
    [
      'an execute target that is not there',
      ruleset({
        rules: [{ action: 'execute', expression: 'true', action_parameters: { id: '0'.repeat(32) } }],
      }),
      /does not exist/u,
    ],
  ])('with %s is refused with an error that says where', (_, seed, message) => {
    expect(() => buildSeed(seed)).toThrow(message);
  });
});
