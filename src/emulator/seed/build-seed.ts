import { securityEventsShape, seedSecurityEvents } from '../analytics/analytics-seed.ts';
import { accountScope, zoneScope } from '../call/call.ts';
import type { CallScope, ZoneScope } from '../call/call.ts';
import { fakeClock, stampSource, countedIds, namedId } from '../environment/service-clock.ts';
import { checkShape } from '../decode/bounds.ts';
import { checkExpressionSize } from '../environment/expression-check.ts';
import { seedFirewall, firewallSeedFields } from '../firewall/firewall-seed.ts';
import { withoutNulls } from '../protocol/wire-object.ts';
import { attempt, Refusal, refuse } from '../protocol/refusal.ts';
import { auditSeedShape, seedAuditLog } from '../audit/audit-seed.ts';
import { seedLists, listSeedShape } from '../lists/list-seed.ts';
import type { Account, Zone, Policy, Token, User } from '../records/directory-record.ts';
import { createStore } from '../store/store.ts';
import type { Store, StoreContent } from '../store/store.ts';
import { defaultSwitches } from '../environment/switches.ts';
import type { Switches } from '../environment/switches.ts';
import { seedOldWaf, wafSeedFields } from '../waf/waf-seed.ts';
import type { StoredRule, StoredRuleset } from '../records/ruleset-record.ts';
import { VENDOR, alreadyUsed } from '../rulesets/visible-phases.ts';
import type { RawRule } from '../rulesets/rule-body.ts';
import { trafficOf, trafficShape } from '../traffic/traffic-shape.ts';
import { defineRule } from '../rulesets/define-rule.ts';
import { checkSharedRef } from '../rulesets/rule-identity.ts';
import type { JudgeTools } from '../rulesets/define-rule.ts';
import { allowedActions } from '../rulesets/parameters/phase-rows.ts';
import { checkReferences } from '../rulesets/ruleset-references.ts';
import type { ReferenceTools } from '../rulesets/ruleset-references.ts';
import { readRule, ruleShape } from '../rulesets/rule-body.ts';
import { list, object, opaque, text, word, map } from '../decode/body-shape.ts';
import type { ShapeFields, ValueOf } from '../decode/body-shape.ts';
import { planLevels } from '../records/directory-record.ts';
import { managedRows } from './managed-rows.ts';
import type { ManagedRow, ManagedRuleRow } from './managed-row.ts';

/** Tokens by their value, each with its policies. */
const tokensShape = map(
  list(
    object(
      { permissions: list(text()), resources: list(text()) },
      { required: ['permissions', 'resources'] },
    ),
  ),
);

/** The names of tokens, by their values: those that the audit log tells. */
const namesShape = map(text());

/** A user besides the owner, with tokens; each user has a request budget of their own (api.md 1.7). */
const userSeedShape = object(
  {
    email: text({ min: 3 }),
    key: text({ pattern: /^[0-9a-f]{37}$/u }),
    tokens: tokensShape,
    token_names: namesShape,
  },
  { required: ['email'] },
);

/** Reads the users besides the owner, with their tokens. */
function readUsers(seeds: readonly ValueOf<typeof userSeedShape>[]): {
  readonly users: readonly User[];
  readonly tokens: readonly Token[];
} {
  const found = seeds.map(({ email, key, tokens, token_names: names }) => {
    const id = namedId('user', email);
    return { user: { id, email, key: key ?? `${id}00000` }, tokens: readTokens({ tokens, names }, id) };
  });
  return { users: found.map(({ user }) => user), tokens: found.flatMap(({ tokens }) => tokens) };
}

/** Reads the `tokens` of the owner or of another user. */
function readTokens({ tokens = {}, names = {} }: NamedTokens, user: string): readonly Token[] {
  return Object.entries(tokens).map(([value, policies]) => activeToken({ value, policies, names }, user));
}

interface NamedTokens {
  readonly tokens?: ValueOf<typeof tokensShape> | undefined;
  readonly names?: ValueOf<typeof namesShape> | undefined;
}

/** Makes an active token of a user; its id is derived from its value, and so is its name where the seed gives none. */
function activeToken(
  {
    value,
    policies,
    names = {},
  }: Pick<NamedTokens, 'names'> & { readonly value: string; readonly policies: readonly Policy[] },
  user: string,
): Token {
  const id = namedId('token', value);
  const name = (Object.hasOwn(names, value) ? names[value] : undefined) ?? `token-${id.slice(0, 6)}`;
  return { id, name, value, user, status: 'active', policies };
}

const ruleset = object(
  {
    id: text({ pattern: /^[0-9a-f]{32}$/u }),
    name: text({ min: 1 }),
    kind: word('custom', 'root', 'zone'),
    phase: text({ min: 1 }),
    description: text(),
    version: text({ pattern: /^[0-9]+$/u }),
    rules: list(ruleShape),
    // Members that only answers have: accepted, so that an answer can be used as a seed.
    last_updated: opaque,
    source: opaque,
  },
  { required: ['kind', 'phase'] },
);

const scope = {
  id: text({ pattern: /^[0-9a-f]{32}$/u }),
  name: text({ min: 1 }),
  plan: word(...planLevels),
  features: list(text({ min: 1 })),
  rulesets: list(ruleset),
};

/** A ruleset in a seed. */
type RulesetSeed = ValueOf<typeof ruleset>;

/** A zone or account in a seed. */
type ScopeSeed = ShapeFields<typeof scope, 'name'>;

/** The form of a seed: the state that an emulator starts with and that a reset restores. */
const seedShape = object(
  {
    version: { kind: 'integer', oneOf: [1] },
    email: text({ min: 3 }),
    key: text({ pattern: /^[0-9a-f]{37}$/u }),
    token: text({ pattern: /^[A-Za-z0-9_-]{1,}$/u }),
    tokens: tokensShape,
    token_names: namesShape,
    users: list(userSeedShape),
    traffic: trafficShape,
    accounts: list(
      object(
        { ...scope, lists: list(listSeedShape), audit_log: list(auditSeedShape) },
        { required: ['name'] },
      ),
      { min: 1 },
    ),
    zones: list(
      object(
        {
          ...scope,
          ...wafSeedFields,
          ...firewallSeedFields,
          account: text({ min: 1 }),
          security_events: list(securityEventsShape),
        },
        { required: ['name'] },
      ),
    ),
  },
  { required: ['version', 'accounts'] },
);

/** A seed, decoded. */
type Seed = ValueOf<typeof seedShape>;

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
  const tokenNames = { [token]: 'emulator', ...seed.token_names };
  const own = activeToken({ value: token, policies: everything, names: tokenNames }, user.id);
  const others = readUsers(seed.users ?? []);
  const store = createStore({
    accounts: known,
    zones: zones.map(({ scope }) => scope.zone),
    users: [user, ...others.users],
    tokens: [own, ...readTokens({ tokens: seed.tokens, names: tokenNames }, user.id), ...others.tokens],
    rulesets: managedRulesets(),
    traffic: seed.traffic === undefined ? [] : [trafficOf(seed.traffic)],
  });
  seedScopes(store, [
    ...accounts.map(({ raw, scope }) => ({
      raw,
      scope,
      seedObjects: () => {
        seedLists(store, scope.account, raw.lists ?? [], SEED_TIME);
        seedAuditLog(store, scope.account, raw.audit_log ?? []);
      },
    })),
    ...zones.map(({ raw, scope }) => ({
      raw,
      scope,
      seedObjects: () => {
        seedOldWaf(store, scope.zone, raw, SEED_TIME);
        seedFirewall(store, scope, raw, SEED_TIME);
        seedSecurityEvents(store, scope.zone, raw.security_events ?? []);
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
    readonly scope: CallScope;
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

/** Returns the vendor's rulesets (api.md 7.1): real ids and names, and synthetic rules with ids that never change. */
function managedRulesets(): readonly StoredRuleset[] {
  return managedRows.map(managedRuleset);
}

function managedRuleset(row: ManagedRow): StoredRuleset {
  const version = {
    version: String(row.version),
    last_updated: row.lastUpdated,
    description: row.description,
    rules: row.rules.map((rule) => managedRule(row, rule)),
  };
  return {
    id: row.id,
    owner: VENDOR,
    name: row.name,
    kind: 'managed',
    phase: row.phase,
    counter: row.version,
    versions: [version],
    ...(row.plans === undefined ? {} : { plans: row.plans }),
  };
}

// A managed rule has no expression; its version is the ruleset version in which it last changed (api.md 6.6).
function managedRule(row: ManagedRow, rule: ManagedRuleRow): StoredRule {
  const name = [row.id, rule.description];
  return {
    id: rule.id ?? namedId('managed rule', ...name),
    version: String(row.version - 1),
    last_updated: row.lastUpdated,
    definition: {
      action: rule.action,
      ...(rule.parameters === undefined ? {} : { action_parameters: rule.parameters }),
      description: rule.description,
      enabled: rule.enabled ?? true,
      ref: rule.ref ?? namedId('managed ref', ...name),
    },
    categories: rule.categories,
    ...(rule.scoreThreshold === undefined ? {} : { score_threshold: rule.scoreThreshold }),
  };
}

/** The parts of the service that seeding a ruleset needs. */
interface SeedTools extends JudgeTools, ReferenceTools {
  readonly stamp: () => string;
  readonly newId: () => string;
}

/**
 * Stores one ruleset of a seed, checked like a client's but with the ids that it brings. An execute target may be named
 * `custom:<name>`. Refuses a ruleset that the service would not accept.
 */
function seedRuleset(tools: SeedTools, scope: CallScope, raw: RulesetSeed): void {
  const { phase, kind, version = '1', name = 'default', description = '', last_updated: updated } = raw;
  if (allowedActions(phase, kind, scope.kind) === undefined) {
    throw refuse(400, `${scope.kind}s have no rulesets of kind ${kind} in the phase ${phase}`);
  }
  const own = tools.store.rulesets.group(scope.owner);
  if (kind !== 'custom' && own.some((ruleset) => ruleset.kind === kind && ruleset.phase === phase)) {
    throw refuse(400, 'a phase has one entry point, and this is the second');
  }
  const place = { phase, kind, scope };
  const given = withTargets(raw.rules ?? [], own);
  const stamp = tools.stamp();
  const rules = given.map((rule, index): StoredRule => {
    const input = readRule(rule, `/rules/${index}`, tools);
    const definition = defineRule(tools, input, place);
    const id = input.id ?? tools.newId();
    return {
      id,
      version: textOr(rule.version, '1'),
      last_updated: textOr(rule.last_updated, stamp),
      definition: { ...definition, ref: input.ref ?? id },
    };
  });
  const settled = rules.map((rule, index) => ({ rule, pointer: `/rules/${index}` }));
  checkSharedRef(settled);
  const ids = rules.map((rule) => rule.id);
  const twice = ids.findIndex((one, index) => ids.indexOf(one) !== index);
  if (twice >= 0) {
    throw alreadyUsed(ids[twice] ?? '', `/rules/${twice}/id`);
  }
  checkReferences(tools, settled, place);
  const id = raw.id ?? tools.newId();
  if (tools.store.rulesets.get(id) !== undefined) {
    throw refuse(400, `another ruleset has the id ${id}`);
  }
  tools.store.rulesets.set(id, {
    id,
    owner: scope.owner,
    name,
    kind,
    phase,
    counter: Number(version),
    versions: [{ version, last_updated: textOr(updated, stamp), description, rules }],
  });
}

/** Replaces `custom:<name>` with the id of the scope's custom ruleset of that name. */
function withTargets(rules: readonly RawRule[], own: readonly StoredRuleset[]): readonly RawRule[] {
  const custom = own.filter((ruleset) => ruleset.kind === 'custom');
  return rules.map((rule) => {
    const parameters = rule.action_parameters;
    const target = custom.find(({ name }) => parameters?.['id'] === `custom:${name}`);
    return target === undefined ? rule : { ...rule, action_parameters: { ...parameters, id: target.id } };
  });
}

/** Returns a member that only answers have, or a default when the member is not a string. */
function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
