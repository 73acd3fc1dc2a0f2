import { accountScope, zoneScope } from '../call/call.ts';
import type { Scope, ZoneScope } from '../call/call.ts';
import { fakeClock, stampSource } from '../environment/clock.ts';
import { checkShape } from '../decode/bounds.ts';
import { checkExpressionSize } from '../environment/expression-check.ts';
import { seedFirewall } from '../firewall/seed.ts';
import { countedIds, namedId } from '../environment/ids.ts';
import { withoutNulls } from '../protocol/json.ts';
import { attempt, Refusal } from '../protocol/refusal.ts';
import { seedLists } from '../lists/seed.ts';
import type { Account, Zone } from '../records/directory.ts';
import { createStore } from '../store/store.ts';
import type { Store, StoreContent } from '../store/store.ts';
import { defaultSwitches } from '../environment/switches.ts';
import type { Switches } from '../environment/switches.ts';
import { seedOldWaf } from '../waf/seed.ts';
import { managedRulesets } from './managed.ts';
import { seedRuleset } from './seed-ruleset.ts';
import { seedShape } from './shape.ts';
import type { ScopeSeed, Seed } from './shape.ts';
import { activeToken, readTokens, readUsers } from './users.ts';

/** The creation time of everything in a seed. */
const SEED_TIME = '2026-01-02T03:04:05Z';

/** The token of a seed that names none: forty characters, the same in every emulator. */
export const SEED_TOKEN = 'emulator-token-emulator-token-emulator-0';

/** Builds the content of a store from a seed. Throws an error that names the place when the seed is not valid. */
export function buildSeed(given: unknown): StoreContent {
  const seed = orSeedError('seed', () => readSeed(given));
  const accounts = seed.accounts.map((raw) => ({ raw, scope: accountScope(readAccount(raw)) }));
  const known = accounts.map(({ scope }) => scope.account);
  const names = new Set<string>();
  const zones = (seed.zones ?? []).map((raw) => ({ raw, scope: readZone(raw, known, names) }));
  refuseTwins([...known, ...zones.map(({ scope }) => scope.zone)]);
  const { email = 'owner@shop.example', key = 'e'.repeat(37), token = SEED_TOKEN } = seed;
  const user = { id: namedId('user'), email, key };
  const everything = [{ permissions: ['*'], resources: ['*'] }];
  const own = activeToken(token, user.id, everything);
  const others = readUsers(seed.users ?? []);
  const store = createStore({
    accounts: known,
    zones: zones.map(({ scope }) => scope.zone),
    users: [user, ...others.users],
    tokens: [own, ...readTokens(seed.tokens, user.id), ...others.tokens],
    rulesets: managedRulesets(),
  });
  seedScopes(store, [
    ...accounts.map(({ raw, scope }) => ({
      raw,
      scope,
      seedObjects: () => seedLists(store, scope.account, raw.lists ?? [], SEED_TIME),
    })),
    ...zones.map(({ raw, scope }) => ({
      raw,
      scope,
      seedObjects: () => {
        seedOldWaf(store, scope.zone, raw, SEED_TIME);
        seedFirewall(store, scope.zone, raw, SEED_TIME);
      },
    })),
  ]);
  return store.content();
}

/** Reads a seed. Null members count as absent, because a seed may contain answers of the service. */
function readSeed(given: unknown): Seed {
  const seed = withoutNulls(given);
  checkShape(seedShape, seed);
  return seed;
}

/** Returns the id of a zone or account whose seed gives none; it is derived from the name. */
export function scopeId(kind: 'zone' | 'account', name: string): string {
  return namedId(kind, name);
}

// A seed is a state that came about earlier or elsewhere: it may name managed rules that are gone, account rules from
// before a restriction, and actions of a newer service.
const seedSwitches: Switches = {
  ...defaultSwitches,
  managedRules: 'any',
  actions: 'any',
  accountExpressions: 'any',
  lists: 'any',
  parameters: 'any',
};

function seedScopes(
  store: Store,
  scopes: readonly {
    readonly raw: ScopeSeed;
    readonly scope: Scope;
    /** Stores the objects of the scope other than its rulesets. */
    readonly seedObjects: () => void;
  }[],
): void {
  const tools = {
    store,
    switches: seedSwitches,
    checkExpression: checkExpressionSize,
    stamp: stampSource(fakeClock(SEED_TIME)),
    newId: countedIds('seed'),
  };
  for (const { raw, scope, seedObjects } of scopes) {
    const where = `seed: ${raw.name}`;
    orSeedError(where, seedObjects);
    // Custom rulesets come first, because entry points execute them.
    const rulesets = (raw.rulesets ?? []).toSorted(
      (a, b) => Number(a.kind !== 'custom') - Number(b.kind !== 'custom'),
    );
    for (const ruleset of rulesets) {
      orSeedError(`${where}, ${ruleset.phase}`, () => seedRuleset(tools, scope, ruleset));
    }
  }
}

function readAccount(raw: ScopeSeed): Account {
  const { name, id = scopeId('account', name), plan = 'free', features = [] } = raw;
  return { id, name, plan, features, created_on: SEED_TIME };
}

/** Reads a zone and adds its name to the names taken. The id of a second zone of the same name depends on its account, too. */
function readZone(
  raw: ScopeSeed & { readonly account?: string },
  accounts: readonly Account[],
  names: Set<string>,
): ZoneScope {
  const { name, plan = 'free', features = [], account: wanted } = raw;
  const account =
    wanted === undefined ? accounts[0] : accounts.find((each) => each.name === wanted || each.id === wanted);
  if (account === undefined) {
    throw new Error(`seed: zone ${name} belongs to the account ${wanted}, which the seed does not have`);
  }
  const own = `${name}@${account.id}`;
  if (names.has(own)) {
    throw new Error(`seed: two zones ${name} in the account ${account.name}`);
  }
  const id = raw.id ?? scopeId('zone', names.has(name) ? own : name);
  names.add(name).add(own);
  return zoneScope({ id, name, account: account.id, plan, features, created_on: SEED_TIME }, account);
}

function refuseTwins(scopes: readonly (Account | Zone)[]): void {
  const byId = new Map<string, string>();
  for (const { id, name } of scopes) {
    const twin = byId.get(id);
    if (twin !== undefined) {
      throw new Error(
        `seed: ${twin === name ? `two times ${name}` : `${twin} and ${name}`} with the id ${id}`,
      );
    }
    byId.set(id, name);
  }
}

/** Does a piece of work; turns a refusal into an error that says where in the seed the problem is. */
function orSeedError<T>(where: string, work: () => T): T {
  const done = attempt(work);
  if (!(done instanceof Refusal)) {
    return done;
  }
  const [error] = done.errors;
  const at = error?.source === undefined ? '' : ` at ${error.source.pointer}`;
  throw new Error(`${where}${at}: ${error?.message ?? ''}`);
}
