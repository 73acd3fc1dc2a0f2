import type { ReadClient } from '../../api/index.ts';
import { resolveScope, isServiceError } from '../../api/index.ts';
import type { Resolution } from '../../live/index.ts';
import { attempt, resolveScopes } from '../../live/index.ts';
import { declaredScopesOf, RulewrightError, isId, scopeLabel } from '../../model/index.ts';
import { groupBy } from '../../data/index.ts';
import type { Scope, ScopeRef, DesiredScope } from '../../model/index.ts';

/** A scope, and the client and the token variable that it is reached with. */
export interface Reached<Client> {
  readonly scope: Scope;
  readonly tokenEnv: string | undefined;
  readonly client: Client;
}

/**
 * Like `reachScope`, for many scopes with few requests: scopes with only one token to try are looked up together. The result has one
 * entry for each label (`scopeLabel`).
 */
export async function reachScopes(
  clientFor: (tokenEnv: string | undefined) => ReadClient,
  scopes: readonly DesiredScope[],
  refs: readonly ScopeRef[],
): Promise<ReadonlyMap<string, Resolution>> {
  const tokens = new Map(refs.map((ref) => [ref, tokensOf(scopes, ref)]));
  const hasOneToken = (ref: ScopeRef): boolean => (tokens.get(ref) ?? []).length < 2;
  const together = await Promise.all(
    [...groupBy(refs.filter(hasOneToken), (ref) => tokens.get(ref)?.[0])].map(([token, some]) =>
      resolveScopes(clientFor(token), some),
    ),
  );
  const alone = refs
    .filter((ref) => !hasOneToken(ref))
    .map(async (ref): Promise<[string, Resolution]> => [
      scopeLabel(ref),
      await attempt(async () => (await reachScope(clientFor, scopes, ref)).scope),
    ]);
  return new Map([...together.flatMap((found) => [...found]), ...(await Promise.all(alone))]);
}

/**
 * Looks a scope up with the token that the files give it. If the files may name the scope in the other way, by its id instead of its
 * name or vice versa, only a look-up tells which declared scope it is: the default credentials are tried, then the tokens of those
 * declared scopes. Throws the first error if no token sees the scope.
 */
export async function reachScope<Client extends ReadClient>(
  clientFor: (tokenEnv: string | undefined) => Client,
  scopes: readonly DesiredScope[],
  ref: ScopeRef,
): Promise<Reached<Client>> {
  let first: unknown;
  for (const token of tokensOf(scopes, ref)) {
    try {
      const scope = await resolveScope(clientFor(token), ref);
      const [declared] = declaredScopesOf(scopes, scope);
      const tokenEnv = declared === undefined ? token : declared.tokenEnv;
      return { scope, tokenEnv, client: clientFor(tokenEnv) };
    } catch (error) {
      if (!isUnseen(error)) {
        throw error;
      }
      first ??= error;
    }
  }
  throw first;
}

/** Returns the tokens to try: that of the scope, or else the default one and those of the scopes that the files name in the other way. */
function tokensOf(scopes: readonly DesiredScope[], ref: ScopeRef): readonly (string | undefined)[] {
  const [named] = declaredScopesOf(scopes, { ...ref, id: ref.name });
  return named === undefined ? [undefined, ...tokensOfOthers(scopes, ref)] : [named.tokenEnv];
}

function tokensOfOthers(scopes: readonly DesiredScope[], ref: ScopeRef): ReadonlySet<string> {
  return new Set(
    scopes.flatMap(({ scope, tokenEnv }) =>
      scope.kind === ref.kind && isId(scope.name) !== isId(ref.name) && tokenEnv !== undefined
        ? [tokenEnv]
        : [],
    ),
  );
}

/** Whether an error leaves open that other credentials can see the scope. */
export function isUnseen(error: unknown): boolean {
  return (
    [401, 403, 404].some((status) => isServiceError(error, status)) ||
    (error instanceof RulewrightError && ['app/no-credentials', 'api/unknown-scope'].includes(error.code))
  );
}
