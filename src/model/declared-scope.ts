import { zoneName } from './scope.ts';
import type { Scope, ScopeRef } from './scope.ts';

/** What files declare of a scope, which they name as they like: by its name or by its id. */
export function declaredScopesOf<Declared extends { readonly scope: ScopeRef }>(
  scopes: readonly Declared[],
  { kind, id, name, accountId }: Pick<Scope, 'kind' | 'id' | 'name'> & Partial<Pick<Scope, 'accountId'>>,
): readonly Declared[] {
  const sought = zoneName({ kind, name: name.toLowerCase() });
  const account = sought.account ?? accountId;
  return scopes.filter(({ scope }) => {
    const own = zoneName({ kind, name: scope.name.toLowerCase() });
    return (
      scope.kind === kind &&
      (scope.name === id || (own.bare === sought.bare && (own.account === null || own.account === account)))
    );
  });
}
