import { expect, it } from 'vitest';
import type { ImportedScope } from '../../../src/model/import-summary.ts';
import { importText } from '../../../src/report/text/import.ts';

function imported(kind: 'changed' | 'unchanged', scope: string): ImportedScope {
  return { kind, scope, files: [], rules: 1, rulesets: 1, leftOut: [], kept: [] };
}

it('counts the scopes in which nothing is new where they are many', () => {
  const scopes = [
    ...['a', 'b', 'c'].map((name) => imported('unchanged', `zone:${name}`)),
    imported('changed', 'zone:d'),
    imported('unchanged', 'zone:e'),
  ];
  const text = (told: readonly ImportedScope[]): string =>
    importText({ scopes: told, written: [], requests: 9 }, { width: 80, colour: false });
  expect(text(scopes)).toBe(`changed   zone:d  1 rule in 1 ruleset
unchanged 4 scopes

Imported 5 scopes: 0 files written, 9 requests.
`);
  expect(text(scopes.slice(0, 3))).toContain('unchanged zone:b');
});
