import type { Scope, ScopeRef } from './scope.ts';

/** What files declare of a scope, which they name as they like: by its name or by its id. */
export function declaredScopesOf<Declared extends { readonly scope: ScopeRef }>(
  scopes: readonly Declared[],
  { kind, id, name }: Pick<Scope, 'kind' | 'id' | 'name'>,
): readonly Declared[] {
  const lower = name.toLowerCase();
  return scopes.filter(
    ({ scope }) => scope.kind === kind && (scope.name === id || scope.name.toLowerCase() === lower),
  );
}
