import { expect, it } from 'vitest';
import { asPeopleKnow, testedScopes } from '../../src/simulate/index.ts';
import type { SimulatedScope } from '../../src/simulate/index.ts';

const ID = 'a'.repeat(32);
const OTHER = 'b'.repeat(32);

function scopeOf(...rules: readonly (readonly [ref: string, description: string])[]): SimulatedScope {
  return {
    scope: { kind: 'zone', name: 'shop.example' },
    rulesets: [
      {
        address: { kind: 'entrypoint', phase: 'http_request_firewall_custom' },
        rules: rules.map(([ref, description]) => ({
          ref,
          content: { action: 'block', expression: 'true', description, enabled: true },
        })),
      },
    ],
  };
}

const refsOf = (scopes: readonly SimulatedScope[]): readonly (string | undefined)[] =>
  scopes.flatMap(({ rulesets }) => rulesets.flatMap(({ rules }) => rules.map(({ ref }) => ref)));

it('drops refs that tell people nothing if the rule has a description', () => {
  const scope = scopeOf([ID, 'Partners may pass'], ['block-admin', 'Admins'], [OTHER, '']);
  expect(refsOf([asPeopleKnow(scope)])).toEqual([undefined, 'block-admin', OTHER]);
});

it('lets tests name a rule by ref or by description, and then uses the description', () => {
  const { scopes, expectation } = testedScopes([scopeOf([ID, 'Partners may pass'], ['block-admin', ''])]);
  expect(refsOf(scopes)).toEqual([undefined, 'block-admin']);
  expect(
    expectation({ action: 'block', rule: ID, rules: { [ID]: 'matched', 'block-admin': 'missed' } }),
  ).toEqual({
    action: 'block',
    rule: 'Partners may pass',
    rules: { 'Partners may pass': 'matched', 'block-admin': 'missed' },
  });
});

it('keeps the refs of rules that share a name, so that a test can tell them apart', () => {
  const { scopes, expectation } = testedScopes([
    scopeOf([ID, 'Bots'], [OTHER, 'Bots'], ['c'.repeat(32), 'named'], ['named', 'Another']),
  ]);
  expect(refsOf(scopes)).toEqual([ID, OTHER, 'c'.repeat(32), 'named']);
  expect(expectation({ rule: ID })).toEqual({ rule: ID });
});
