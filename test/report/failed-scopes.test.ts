import { expect, it } from 'vitest';
import type { FailedScope } from '../../src/model/plan.ts';
import type { ScopeKind } from '../../src/model/scope.ts';
import { groupFailed } from '../../src/report/summary.ts';

function failed(name: string, message: string, kind: ScopeKind = 'zone'): FailedScope {
  return { kind: 'failed', scope: { kind, name }, error: { code: 'api/forbidden', message } };
}

it('groups scopes that failed for one reason, even if it contains their names', () => {
  const groups = groupFailed([
    failed('a.example', 'GET /zones?name=a.example: 403'),
    failed('b.example', 'GET /zones?name=b.example: 403'),
    failed('c.example', 'refused'),
  ]);
  expect(groups.map(({ scopes, error }) => [scopes.map(({ name }) => name), error.message])).toEqual([
    [['a.example', 'b.example'], 'GET /zones?name=…: 403'],
    [['c.example'], 'refused'],
  ]);
});

it('accepts any name of a scope, also an invalid or empty one', () => {
  const groups = groupFailed([failed('\ud800', 'refused'), failed('', 'refused')]);
  expect(groups.map(({ error }) => error.message)).toEqual(['refused']);
});

it.each(['a.example', 'Shops & more', 'b'])(
  'leaves a name out of the reason only as a whole, also in a URL: %s',
  (name) => {
    const message = (own: string): string =>
      `GET /accounts?name=${encodeURIComponent(own)}: the table of ${own} cannot be read`;
    const groups = groupFailed([
      failed('a', message('a'), 'account'),
      failed(name, message(name), 'account'),
    ]);
    expect(groups.map(({ error }) => error.message)).toEqual([
      'GET /accounts?name=…: the table of … cannot be read',
    ]);
  },
);
