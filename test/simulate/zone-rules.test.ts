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
const RULING: DesiredScope = {
  ...TWO,
  rulesets: [desiredRuleset([])],
};

describe('the scopes whose rules a request meets', () => {
  test.each([
    ['a zone alone', [ZONE], undefined, [ZONE]],
    ['below the only account', [ZONE, ONE], undefined, [ONE, ZONE]],
    ['a zone alone below one of several accounts without entry points', [ZONE, ONE, TWO], undefined, [ZONE]],
    ['below the account that is named', [ZONE, ONE, TWO], 'Two', [TWO, ZONE]],
  ])('%s', (_, all, account, scopes) => {
    expect(zoneScopes(all, { zone: 'a.example', account })).toEqual({ kind: 'found', scopes });
  });

  test.each([
    ['no-zone', [ZONE, ONE], { zone: 'b.example' }, ['a.example']],
    ['no-account', [ZONE, ONE], { zone: 'a.example', account: 'Three' }, ['One']],
    ['which-account', [ZONE, ONE, RULING], { zone: 'a.example' }, ['One', 'Two']],
  ])('%s', (kind, all, wanted, known) => {
    expect(zoneScopes(all, wanted)).toEqual({ kind, known });
  });
});
