import { nearName } from '../../model/near-name.ts';
import { isId, zoneName } from '../../model/scope.ts';
import type { ScopeKind, ScopeRef } from '../../model/scope.ts';
import { namedId } from '../environment/ids.ts';
import type { Store } from '../store/store.ts';

/** All features that can be bought beside the plan, because the purpose is to try files, not what somebody has paid for. */
const FEATURES: readonly string[] = [
  'account_rulesets',
  'advanced_ddos',
  'advanced_rate_limiting',
  'application_security',
  'bot_management',
  'magic_transit',
  'network_ddos',
];

/**
 * Adds the zones and accounts that do not exist yet, empty and on the Enterprise plan with all add-ons, so that users
 * can try their own files at once. A new zone belongs to the account that its name gives, else to the first account in
 * `scopes`, else to the first account of the store. A scope given by id is not added, because its name is unknown.
 */
export function addMissingScopes(
  store: Store,
  scopes: readonly ScopeRef[],
  stamp: () => string,
): readonly ScopeRef[] {
  const named = scopes.flatMap(({ kind, name }) =>
    isId(name) ? [] : [{ kind, name: kind === 'zone' ? lowered(name) : name }],
  );
  const accounts = addMissing(named, 'account', store.accounts.all(), (name) => {
    const id = namedId('account', name);
    store.accounts.set(id, { id, name, plan: 'enterprise', features: FEATURES, created_on: stamp() });
  });
  const firstNamed = named.find(({ kind }) => kind === 'account')?.name;
  const all = store.accounts.all();
  const account = all.find(({ name }) => name === firstNamed) ?? all[0];
  if (account === undefined) {
    return accounts;
  }
  const known = store.zones.all().flatMap((zone) => [zone, { name: `${zone.name}@${zone.account}` }]);
  const zones = addMissing(named, 'zone', known, (name) => {
    const id = namedId('zone', name);
    const { bare, account: own } = zoneName({ kind: 'zone', name });
    if (own !== null && store.accounts.get(own) === undefined) {
      store.accounts.set(own, {
        id: own,
        name: own,
        plan: 'enterprise',
        features: FEATURES,
        created_on: stamp(),
      });
    }
    store.zones.set(id, {
      id,
      name: bare,
      account: own ?? account.id,
      plan: 'enterprise',
      features: FEATURES,
      created_on: stamp(),
    });
  });
  return [...accounts, ...zones];
}

/**
 * Returns an existing zone for which a new one may be a typo: one word of the name is nearly the same, and all others
 * are equal. Words that differ only in digits differ on purpose.
 */
export function nearZone(name: string, known: readonly string[]): string | undefined {
  const words = name.split('.');
  return known.find((other) => {
    const others = other.split('.');
    const [first, ...more] = words.flatMap((word, at) => (word === others[at] ? [] : [at]));
    const [word = '', near = ''] = first === undefined ? [] : [words[first], others[first]];
    return (
      words.length === others.length &&
      more.length === 0 &&
      withoutDigits(word) !== withoutDigits(near) &&
      nearName(word, [near]) !== undefined
    );
  });
}

function withoutDigits(word: string): string {
  return word.replaceAll(/\d+/gu, '');
}

/** Zones are looked up in lower case, however files spell their names. */
function lowered(name: string): string {
  return name.toLowerCase();
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
