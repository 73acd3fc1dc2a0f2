import { isId, type ScopeKind, type ScopeRef } from '../../model/scope.ts';
import { namedId } from '../ids.ts';
import type { Store } from '../store/store.ts';

/**
 * Adds the zones and accounts that nobody has made yet, empty and on the Enterprise plan, so that files of one's own can be tried at once.
 * New zones belong to the first account that is named, or to the first there is. An id says no name: it adds nothing.
 */
export function addMissingScopes(
  store: Store,
  scopes: readonly ScopeRef[],
  time: string,
): readonly ScopeRef[] {
  const named = scopes.filter(({ name }) => !isId(name));
  const accounts = addMissing(named, 'account', store.accounts.all(), (name) => {
    const id = namedId('account', name);
    store.accounts.set(id, { id, name, plan: 'enterprise', features: [], created_on: time });
  });
  const firstNamed = named.find(({ kind }) => kind === 'account')?.name;
  const all = store.accounts.all();
  const account = all.find(({ name }) => name === firstNamed) ?? all[0];
  if (account === undefined) {
    return accounts;
  }
  const zones = addMissing(named, 'zone', store.zones.all(), (name) => {
    const id = namedId('zone', name);
    store.zones.set(id, {
      id,
      name,
      account: account.id,
      plan: 'enterprise',
      features: [],
      created_on: time,
    });
  });
  return [...accounts, ...zones];
}

function addMissing(
  scopes: readonly ScopeRef[],
  wanted: ScopeKind,
  known: readonly { readonly name: string }[],
  add: (name: string) => void,
): readonly ScopeRef[] {
  const names = new Set(known.map(({ name }) => name));
  return scopes.flatMap((scope) => {
    if (scope.kind !== wanted || names.has(scope.name)) {
      return [];
    }
    names.add(scope.name);
    add(scope.name);
    return [scope];
  });
}
