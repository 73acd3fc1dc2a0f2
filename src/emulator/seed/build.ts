import { accountScope, zoneScope } from '../call.ts';
import type { Scope, ZoneScope } from '../call.ts';
import { fakeClock, stampSource } from '../clock.ts';
import { checkShape } from '../decode/bounds.ts';
import { checkExpressionSize } from '../expression-check.ts';
import { seedFirewall } from '../firewall/seed.ts';
import { countedIds, namedId } from '../ids.ts';
import { isObject, listAt, textAt, textsAt, withoutNulls } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { attempt, Refusal } from '../protocol/refusal.ts';
import { seedLists } from '../lists/seed.ts';
import { planLevels } from '../store/records.ts';
import type { Account, PlanLevel, Zone } from '../store/records.ts';
import { createStore } from '../store/store.ts';
import type { Store, StoreContent } from '../store/store.ts';
import { defaultSwitches } from '../switches.ts';
import type { Switches } from '../switches.ts';
import { seedOldWaf } from '../waf/seed.ts';
import { managedRulesets } from './managed.ts';
import { seedRuleset } from './seed-ruleset.ts';
import { seedShape } from './shape.ts';
import { activeToken, readTokens, readUsers } from './users.ts';

/** When everything in a seed was made. */
const SEED_TIME = '2026-01-02T03:04:05Z';

/** The token that a seed has when it names none: forty characters, the same in every emulator. */
export const SEED_TOKEN = 'emulator-token-emulator-token-emulator-0';

/** Turns a seed into the content of a store. Throws an error that names the place when the seed is not a valid one. */
export function buildSeed(given: unknown): StoreContent {
  // An answer of the service can be a seed: it has null where there is nothing.
  const seed = withoutNulls(given);
  orSeedError('seed', () => checkShape(seedShape, seed));
  const root = isObject(seed) ? seed : {};
  const accounts = objectsAt(root, 'accounts').map((raw) => ({ raw, scope: accountScope(readAccount(raw)) }));
  const known = accounts.map(({ scope }) => scope.account);
  const names = new Set<string>();
  const zones = objectsAt(root, 'zones').map((raw) => ({ raw, scope: readZone(raw, known, names) }));
  refuseTwins([...known, ...zones.map(({ scope }) => scope.zone)]);
  const user = {
    id: namedId('user'),
    email: textAt(root, 'email') ?? 'owner@shop.example',
    key: textAt(root, 'key') ?? 'e'.repeat(37),
  };
  const everything = [{ permissions: ['*'], resources: ['*'] }];
  const own = activeToken(textAt(root, 'token') ?? SEED_TOKEN, user.id, everything);
  const others = readUsers(root);
  const store = createStore({
    accounts: known,
    zones: zones.map(({ scope }) => scope.zone),
    users: [user, ...others.users],
    tokens: [own, ...readTokens(root, user.id), ...others.tokens],
    rulesets: managedRulesets(),
  });
  seedScopes(store, [...accounts, ...zones]);
  return store.content();
}

/** The identifier of a zone or account whose seed gives none: it follows from the name. */
export function scopeId(kind: 'zone' | 'account', name: string): string {
  return namedId(kind, name);
}

// A seed is what has come to be: it may name managed rules of yesterday and account rules of before.
const seedSwitches: Switches = {
  ...defaultSwitches,
  managedRules: 'any',
  accountExpressions: 'any',
  lists: 'any',
};

function seedScopes(
  store: Store,
  scopes: readonly { readonly raw: JsonObject; readonly scope: Scope }[],
): void {
  const tools = {
    store,
    switches: seedSwitches,
    checkExpression: checkExpressionSize,
    stamp: stampSource(fakeClock(SEED_TIME)),
    newId: countedIds('seed'),
  };
  for (const { raw, scope } of scopes) {
    const where = `seed: ${textAt(raw, 'name')}`;
    orSeedError(where, () => seedScope(store, scope, raw));
    // Custom rulesets first: entry points execute them.
    const rulesets = objectsAt(raw, 'rulesets').toSorted(
      (a, b) => Number(a['kind'] !== 'custom') - Number(b['kind'] !== 'custom'),
    );
    for (const ruleset of rulesets) {
      orSeedError(`${where}, ${textAt(ruleset, 'phase')}`, () => seedRuleset(tools, scope, ruleset));
    }
  }
}

function seedScope(store: Store, scope: Scope, raw: JsonObject): void {
  if (scope.kind === 'account') {
    seedLists(store, scope.account, { raw, time: SEED_TIME });
  } else {
    seedOldWaf(store, scope.zone, raw, SEED_TIME);
    seedFirewall(store, scope.zone, raw, SEED_TIME);
  }
}

function readAccount(raw: JsonObject): Account {
  const name = textAt(raw, 'name') ?? '';
  return {
    id: textAt(raw, 'id') ?? scopeId('account', name),
    name,
    plan: readPlan(raw),
    features: textsAt(raw, 'features'),
    created_on: SEED_TIME,
  };
}

/** Reads a zone, and adds its name to those that are taken: a second zone of a name is told apart by its account. */
function readZone(raw: JsonObject, accounts: readonly Account[], names: Set<string>): ZoneScope {
  const name = textAt(raw, 'name') ?? '';
  const wanted = textAt(raw, 'account');
  const account =
    wanted === undefined ? accounts[0] : accounts.find((each) => each.name === wanted || each.id === wanted);
  if (account === undefined) {
    throw new Error(`seed: zone ${name} belongs to the account ${wanted}, which the seed does not have`);
  }
  const named = names.has(name) ? `${name}@${account.id}` : name;
  names.add(name);
  const zone: Zone = {
    id: textAt(raw, 'id') ?? scopeId('zone', named),
    name,
    account: account.id,
    plan: readPlan(raw),
    features: textsAt(raw, 'features'),
    created_on: SEED_TIME,
  };
  return zoneScope(zone, account);
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

function readPlan(raw: JsonObject): PlanLevel {
  return planLevels.find((plan) => plan === raw['plan']) ?? 'free';
}

function objectsAt(root: JsonObject, key: string): readonly JsonObject[] {
  return listAt(root, key).filter(isObject);
}

/** Does a piece of work; a refusal becomes an error that says where in the seed it is. */
function orSeedError(where: string, work: () => void): void {
  const refusal = attempt(work);
  if (refusal instanceof Refusal) {
    const [error] = refusal.errors;
    const at = error?.source === undefined ? '' : ` at ${error.source.pointer}`;
    throw new Error(`${where}${at}: ${error?.message ?? ''}`);
  }
}
