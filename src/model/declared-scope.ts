import { zoneName } from './scope.ts';
import type { Scope, ScopeRef } from './scope.ts';

/** Finds the declarations of a scope; files may name the scope by name or by id. */
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
