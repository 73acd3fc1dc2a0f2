import { nearName } from '../../text/index.ts';
import { foldedName, isId, zoneName } from '../../model/index.ts';
import type { ScopeKind, ScopeRef } from '../../model/index.ts';
import { namedId } from '../environment/service-clock.ts';
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
 * can try their own files at once. Returns all that were added. A new zone belongs to the account that its name gives
 * (by id, which is then its name too if it does not exist), else to the first account in `scopes`, else to the first
 * account of the store. A scope given by id is not added, because its name is unknown.
 */
export function addMissingScopes(
  store: Store,
  scopes: readonly ScopeRef[],
  stamp: () => string,
): readonly ScopeRef[] {
  const named = scopes
    .filter(({ name }) => !isId(name))
    .map((scope) => ({ kind: scope.kind, name: foldedName(scope) }));
  const made: ScopeRef[] = [];
  const bought = () => ({ plan: 'enterprise', features: FEATURES, created_on: stamp() }) as const;
  const addAccount = (id: string, name: string): void => {
    store.accounts.set(id, { id, name, ...bought() });
    made.push({ kind: 'account', name });
  };
  for (const name of missing(named, 'account', store.accounts.all())) {
    addAccount(namedId('account', name), name);
  }
  const firstNamed = named.find(({ kind }) => kind === 'account')?.name;
  const all = store.accounts.all();
  const account = all.find(({ name }) => name === firstNamed) ?? all[0];
  if (account === undefined) {
    return made;
  }
  const known = store.zones.all().flatMap((zone) => [zone, { name: `${zone.name}@${zone.account}` }]);
  for (const name of missing(named, 'zone', known)) {
    const id = namedId('zone', name);
    const { bare, account: own } = zoneName({ kind: 'zone', name });
    if (own !== null && store.accounts.get(own) === undefined) {
      addAccount(own, own);
    }
    store.zones.set(id, { id, name: bare, account: own ?? account.id, ...bought() });
    made.push({ kind: 'zone', name });
  }
  return made;
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

/** Returns the names of the scopes of one kind that do not exist yet, each once. */
function missing(
  scopes: readonly ScopeRef[],
  wanted: ScopeKind,
  known: readonly { readonly name: string }[],
): ReadonlySet<string> {
  const names = new Set(known.map(({ name }) => name));
  return new Set(
    scopes.filter(({ kind, name }) => kind === wanted && !names.has(name)).map(({ name }) => name),
  );
}
