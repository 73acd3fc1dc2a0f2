import { pageOfScopes, isForbidden, orElse } from '../../api/index.ts';
import type { ReadClient } from '../../api/index.ts';
import { RulewrightError } from '../../model/index.ts';
import type { Scope, ScopeRef } from '../../model/index.ts';
import { load } from '../project/load.ts';
import type { Selection } from '../project/selection.ts';
import type { Reached } from './reach-scope.ts';
import { reachScope } from './reach-scope.ts';

/**
 * Reaches the named scope, else the first of the project, else the first that the credentials can see. Throws `usage/no-scope` if
 * they can see none.
 */
export async function defaultScope(
  clientFor: (tokenEnv: string | undefined) => ReadClient,
  selection: Selection,
  named: ScopeRef | undefined,
): Promise<Reached<ReadClient>> {
  const loaded = await load(selection);
  const declared = loaded.kind === 'loaded' ? loaded.project.scopes : [];
  const wanted = named ?? declared[0]?.scope;
  if (wanted !== undefined) {
    return reachScope(clientFor, declared, wanted);
  }
  const client = clientFor(undefined);
  const scope =
    (await firstOf(pageOfScopes(client, 'zone', 1))) ?? (await firstOf(pageOfScopes(client, 'account', 1)));
  if (scope === undefined) {
    throw new RulewrightError('the credentials can see no zone and no account', {
      code: 'usage/no-scope',
      fault: 'user',
      hint: 'name one: --zone NAME or --account NAME; its id works even if the token cannot list it',
    });
  }
  return { scope, tokenEnv: undefined, client };
}

/** Returns the first scope of a page; undefined if there is none, or the token may not list. */
function firstOf(page: Promise<{ readonly items: readonly Scope[] }>): Promise<Scope | undefined> {
  const first = page.then(({ items }) => items[0]);
  return orElse(first, () => undefined, isForbidden);
}
