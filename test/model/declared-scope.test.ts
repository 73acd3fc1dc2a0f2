import { expect, it } from 'vitest';
import { declaredScopesOf } from '../../src/model/declared-scope.ts';

const [OWN, OTHER] = ['a'.repeat(32), 'b'.repeat(32)];
const ID = '1'.repeat(32);

it.each([
  ['shop.example', true],
  ['Shop.Example', true],
  [ID, true],
  [`shop.example@${OWN}`, true],
  [`shop.example@${OTHER}`, false],
  ['www.shop.example', false],
])('%s in the files names the zone of an account: %s', (name, named) => {
  const files = [{ scope: { kind: 'zone', name } as const }, { scope: { kind: 'account', name } as const }];
  const found = { kind: 'zone', id: ID, name: 'shop.example', accountId: OWN } as const;
  expect(declaredScopesOf(files, found)).toHaveLength(named ? 1 : 0);
  expect(declaredScopesOf(files, { ...found, name: `shop.example@${OWN}` })).toHaveLength(named ? 1 : 0);
});

it('takes the name of an account as it is, whatever stands in it', () => {
  const name = `Shops@${OTHER}`;
  const files = [{ scope: { kind: 'account', name } as const }];
  const account = { kind: 'account', id: ID, name, accountId: ID } as const;
  expect(declaredScopesOf(files, account)).toEqual(files);
  expect(declaredScopesOf(files, { ...account, name: 'Shops' })).toEqual([]);
});
