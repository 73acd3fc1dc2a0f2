import type { ReadClient } from '../../api/client.ts';
import { resolveScope } from '../../api/resolve-scope.ts';
import { isServiceError } from '../../api/service-error.ts';
import { declaredScopesOf } from '../../model/declared-scope.ts';
import { RulewrightError } from '../../model/error.ts';
import type { Scope, ScopeRef } from '../../model/scope.ts';
import { isId } from '../../model/scope.ts';
import type { DesiredScope } from '../../model/state.ts';

/** A scope, and the client and the token variable that it is reached with. */
export interface Reached<Client> {
  readonly scope: Scope;
  readonly tokenEnv: string | undefined;
  readonly client: Client;
}

/**
 * Looks a scope up with the token that the files give it. Where they may name it in the other way, by its id instead of
 * its name, no text tells which scope of theirs it is: the usual credentials are asked, then the tokens of those. Throws
 * what the first of them ended in where none sees it.
 */
export async function reachScope<Client extends ReadClient>(
  clientFor: (tokenEnv: string | undefined) => Client,
  scopes: readonly DesiredScope[],
  ref: ScopeRef,
): Promise<Reached<Client>> {
  const [named] = declaredScopesOf(scopes, { ...ref, id: ref.name });
  const tokens = named === undefined ? [undefined, ...tokensOfOthers(scopes, ref)] : [named.tokenEnv];
  let first: unknown;
  for (const token of tokens) {
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

/** The tokens of the scopes that the files name in the other way. */
function tokensOfOthers(scopes: readonly DesiredScope[], ref: ScopeRef): ReadonlySet<string> {
  return new Set(
    scopes.flatMap(({ scope, tokenEnv }) =>
      scope.kind === ref.kind && isId(scope.name) !== isId(ref.name) && tokenEnv !== undefined
        ? [tokenEnv]
        : [],
    ),
  );
}

/** Whether other credentials may see what these do not. */
function isUnseen(error: unknown): boolean {
  return (
    [401, 403, 404].some((status) => isServiceError(error, status)) ||
    (error instanceof RulewrightError && ['app/no-credentials', 'api/unknown-scope'].includes(error.code))
  );
}
