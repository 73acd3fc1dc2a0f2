import { expect, it } from 'vitest';
import { declaredScopesOf } from '../../src/model/state.ts';

const [OWN, OTHER] = ['a'.repeat(32), 'b'.repeat(32)];
const ID = '1'.repeat(32);

it.each([
  ['shop.example', true],
  ['Shop.Example', true],
  [ID, true],
  [`shop.example@${OWN}`, true],
  [`shop.example@${OTHER}`, false],
  ['www.shop.example', false],
])('decides whether the name %s in the files means the zone of the account: %s', (name, named) => {
  const files = [{ scope: { kind: 'zone', name } as const }, { scope: { kind: 'account', name } as const }];
  const found = { kind: 'zone', id: ID, name: 'shop.example', accountId: OWN } as const;
  expect(declaredScopesOf(files, found)).toHaveLength(named ? 1 : 0);
  expect(declaredScopesOf(files, { ...found, name: `shop.example@${OWN}` })).toHaveLength(named ? 1 : 0);
});

it('does not split the name of an account at an @', () => {
  const name = `Shops@${OTHER}`;
  const files = [{ scope: { kind: 'account', name } as const }];
  const account = { kind: 'account', id: ID, name, accountId: ID } as const;
  expect(declaredScopesOf(files, account)).toEqual(files);
  expect(declaredScopesOf(files, { ...account, name: 'Shops' })).toEqual([]);
});

it('finds an account whose name differs from the files only in capitals', () => {
  const files = [{ scope: { kind: 'account', name: 'shops' } as const }];
  const account = { kind: 'account', id: ID, name: 'Shops', accountId: ID } as const;
  expect(declaredScopesOf(files, account)).toEqual(files);
});

it('returns declarations in file order when the files name a zone by name and by id', () => {
  const files = ['shop.example', ID, 'Shop.Example'].map((name) => ({
    scope: { kind: 'zone', name } as const,
  }));
  const zone = { kind: 'zone', id: ID, name: 'shop.example', accountId: OWN } as const;
  expect(declaredScopesOf(files, zone)).toEqual(files);
});

it('does not read every declared scope again for each zone that is looked up', () => {
  let looks = 0;
  const names = Array.from({ length: 2000 }, (_, at) => `zone-${at}.example`);
  const files = names.map((name) => ({
    get scope() {
      looks += 1;
      return { kind: 'zone', name } as const;
    },
  }));
  for (const name of names) {
    expect(declaredScopesOf(files, { kind: 'zone', id: ID, name, accountId: OWN })).toHaveLength(1);
  }
  expect(looks).toBeLessThanOrEqual(3 * names.length);
});
