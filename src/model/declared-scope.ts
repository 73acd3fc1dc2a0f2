import { groupBy } from './group-by.ts';
import { memoiseWeakly } from './memoise.ts';
import { zoneName } from './scope.ts';
import type { Scope, ScopeRef, ZoneName } from './scope.ts';

interface Named {
  readonly scope: ScopeRef;
}

/**
 * Finds the declarations of a scope; files may name the scope by name or by id. Runs ask for every zone, so each array is indexed once: it must
 * not change afterwards.
 */
export function declaredScopesOf<Declared extends Named>(
  scopes: readonly Declared[],
  { kind, id, name, accountId }: Pick<Scope, 'kind' | 'id' | 'name'> & Partial<Pick<Scope, 'accountId'>>,
): readonly Declared[] {
  const sought = foldedZone({ kind, name });
  const account = sought.account ?? accountId;
  const index = placesByName(scopes);
  const places = new Set([name, id].flatMap((text) => index.get(keyOf({ kind, name: text })) ?? []));
  return [...places]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([at]) => scopes[at] ?? [])
    .filter(({ scope }) => {
      const own = foldedZone(scope);
      return (
        scope.name === id || (own.bare === sought.bare && (own.account === null || own.account === account))
      );
    });
}

/** Returns the entries of an array by kind and name of the scope, whatever account a zone is said to be in. */
const placesByName = memoiseWeakly((scopes: readonly Named[]) =>
  groupBy(scopes.entries(), ([, { scope }]) => keyOf(scope)),
);

function keyOf(scope: ScopeRef): string {
  return `${scope.kind}:${foldedZone(scope).bare}`;
}

/** Capitals mean nothing in the name of an account either: the service may spell it otherwise than the files (`chooserAmong`). */
function foldedZone({ kind, name }: ScopeRef): ZoneName {
  return zoneName({ kind, name: name.toLowerCase() });
}
