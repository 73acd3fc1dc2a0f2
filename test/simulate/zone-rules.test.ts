import { describe, expect, test } from 'vitest';
import { zoneScopes } from '../../src/app/requests/zone-rules.ts';
import { desiredRuleset } from '../plan/build.ts';
import type { DesiredScope } from '../../src/model/state.ts';

function scope(kind: 'zone' | 'account', name: string): DesiredScope {
  return {
    scope: { kind, name },
    rulesetOwnership: 'declared',
    rulesets: [],
    cause: { file: 'a.yaml', line: 1, column: 1 },
  };
}

const ZONE = scope('zone', 'a.example');
const ONE = scope('account', 'One');
const TWO = scope('account', 'Two');
const ruling = (one: DesiredScope): DesiredScope => ({ ...one, rulesets: [desiredRuleset([])] });
const RULING = ruling(TWO);
const PROD = 'a'.repeat(32);
const STAGING = 'b'.repeat(32);
const BY_ID = ruling(scope('account', PROD));
const IN_PROD = scope('zone', `a.example@${PROD}`);
const IN_STAGING = scope('zone', `a.example@${STAGING}`);

describe('the scopes whose rules a request meets', () => {
  test.each([
    ['a zone alone', [ZONE], undefined, [ZONE]],
    ['below the only account', [ZONE, ONE], undefined, [ONE, ZONE]],
    ['a zone alone below one of several accounts without entry points', [ZONE, ONE, TWO], undefined, [ZONE]],
    ['below the account that is named', [ZONE, ONE, TWO], 'Two', [TWO, ZONE]],
  ])('are found for a zone named without its account: %s', (_, all, account, scopes) => {
    expect(zoneScopes(all, { zone: 'a.example', account })).toEqual({ kind: 'found', scopes });
  });

  test.each([
    ['below the account that it names', IN_PROD, [ONE, BY_ID], undefined, [BY_ID, IN_PROD]],
    ['a zone alone that names another account', IN_STAGING, [BY_ID], undefined, [IN_STAGING]],
    ['a zone alone where no other account has entry points', IN_STAGING, [ONE], undefined, [IN_STAGING]],
    ['below an account that a test says is the same', IN_PROD, [RULING], 'Two', [RULING, IN_PROD]],
  ])('are found for a zone named with the id of its account: %s', (_, zone, accounts, account, scopes) => {
    const found = zoneScopes([...accounts, zone], { zone: zone.scope.name, account });
    expect(found).toEqual({ kind: 'found', scopes });
  });

  test('are unknown if the zone names its account by id, and the files name the account otherwise', () => {
    expect(zoneScopes([RULING, IN_STAGING], { zone: IN_STAGING.scope.name })).toEqual({
      kind: 'same-account',
      id: STAGING,
      known: ['Two'],
    });
  });

  test('are not those of another account than the zone itself names', () => {
    expect(zoneScopes([BY_ID, IN_STAGING], { zone: IN_STAGING.scope.name, account: PROD })).toEqual({
      kind: 'other-account',
      id: STAGING,
      known: [],
    });
  });

  test.each([
    ['no-zone', [ZONE, ONE], { zone: 'b.example' }, ['a.example']],
    ['no-account', [ZONE, ONE], { zone: 'a.example', account: 'Three' }, ['One']],
    ['which-account', [ZONE, ONE, RULING], { zone: 'a.example' }, ['One', 'Two']],
  ])('are not found: %s', (kind, all, wanted, known) => {
    expect(zoneScopes(all, wanted)).toEqual({ kind, known });
  });
});
