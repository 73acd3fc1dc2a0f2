import { accountScope, checkPermission, reaches, readBody, zoneOf, zoneScope } from '../call/call.ts';
import type { Call, ScopedCall, ZoneScope } from '../call/call.ts';
import { flag, list, object, text, word } from '../decode/body-shape.ts';
import { pageRules } from '../families/page-rules.ts';
import { byValue, testsOf, ordered, checkWord, pageOf, readPage } from '../listing/list-page.ts';
import type { Narrowings } from '../listing/list-page.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { unauthorizedResource, refuse } from '../protocol/refusal.ts';
import { zoneTypes } from '../records/directory-record.ts';
import type { Zone } from '../records/directory-record.ts';

const PLAN_NAMES = {
  free: 'Free Website',
  pro: 'Pro Website',
  business: 'Business Website',
  enterprise: 'Enterprise Website',
} as const;

const STATUSES = ['initializing', 'pending', 'active', 'moved'];

/** The operators of a filter for a name, which stand before it and a colon; `equal` is the default (newest schema). */
const OPERATORS: Readonly<Record<string, (name: string, wanted: string) => boolean>> = {
  equal: (name, wanted) => name.toLowerCase() === wanted.toLowerCase(),
  not_equal: (name, wanted) => name.toLowerCase() !== wanted.toLowerCase(),
  starts_with: (name, wanted) => name.toLowerCase().startsWith(wanted.toLowerCase()),
  ends_with: (name, wanted) => name.toLowerCase().endsWith(wanted.toLowerCase()),
  contains: (name, wanted) => name.toLowerCase().includes(wanted.toLowerCase()),
  starts_with_case_sensitive: (name, wanted) => name.startsWith(wanted),
  ends_with_case_sensitive: (name, wanted) => name.endsWith(wanted),
  contains_case_sensitive: (name, wanted) => name.includes(wanted),
};

function byName(of: (scope: ZoneScope) => string): Narrowings<ZoneScope>[string] {
  return (value) => {
    const [, word = '', rest = ''] = /^([a-z_]+):(.*)$/su.exec(value) ?? [];
    const test = Object.hasOwn(OPERATORS, word) ? OPERATORS[word] : undefined;
    return (scope) => (test === undefined ? of(scope) === value : test(of(scope), rest));
  };
}

const narrowings: Narrowings<ZoneScope> = {
  name: byName(({ zone }) => zone.name),
  'account.id': byValue(({ account }) => account.id),
  'account.name': byName(({ account }) => account.name),
  status: byValue(({ zone }) => statusOf(zone)),
  type: (value) => {
    const types = value.split(',');
    return ({ zone }) => types.includes(typeOf(zone));
  },
};

/** GET zones, narrowed by all filters of the query, or with `match=any` by one of them. */
export function listZones(call: Call): Answer {
  const { query, credential, service } = call;
  const page = readPage(query, { min: 5, max: 50, standard: 20 });
  checkWord(query, 'status', STATUSES);
  checkWord(query, 'match', ['all', 'any']);
  const tests = testsOf(query, narrowings);
  const matches = (scope: ZoneScope): boolean =>
    query.get('match') === 'any' && tests.length > 0
      ? tests.some((test) => test(scope))
      : tests.every((test) => test(scope));
  const zones = service.store.zones.all().flatMap((zone) => {
    const account = service.store.accounts.get(zone.account);
    const scope = account === undefined ? undefined : zoneScope(zone, account);
    return scope !== undefined && reaches(credential, scope) && matches(scope) ? [scope] : [];
  });
  const orders = {
    name: ({ zone }: ZoneScope) => zone.name,
    status: ({ zone }: ZoneScope) => statusOf(zone),
    'account.id': ({ account }: ZoneScope) => account.id,
    'account.name': ({ account }: ZoneScope) => account.name,
    'plan.id': ({ zone }: ZoneScope) => zone.plan,
  };
  return pageOf(ordered(query, zones, orders), page, showZone);
}

/** GET zone. */
export function getZone(call: ScopedCall): Answer {
  const zone = zoneOf(call);
  return result(showZone({ zone, account: call.scope.account }));
}

const label = String.raw`[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?`;
const createBody = object(
  {
    name: text({ max: 253, pattern: new RegExp(String.raw`^${label}(?:\.${label})+$`, 'iu') }),
    account: object({ id: text() }),
    type: word(...zoneTypes),
    // Once asked for the import of DNS records; there are none to import.
    jump_start: flag(),
  },
  { required: ['name'] },
);

/** POST zone: a Free zone, pending, in an account where the credential may write zones. */
export function createZone(call: Call): Answer {
  const { store } = call.service;
  const { name, account: wanted, type } = readBody(call, createBody);
  const account =
    wanted?.id === undefined
      ? store.accounts.all().find((each) => reaches(call.credential, accountScope(each)))
      : store.accounts.get(wanted.id);
  if (account === undefined || !reaches(call.credential, accountScope(account))) {
    throw unauthorizedResource();
  }
  checkPermission({ ...call, scope: accountScope(account) }, 'Write', ['Zone']);
  const lower = name.toLowerCase();
  if (store.zones.all().some((zone) => zone.name === lower && zone.account === account.id)) {
    throw refuse(400, `${lower} already exists`, { code: 1061 });
  }
  const zone: Zone = {
    id: call.service.newId(),
    name: lower,
    account: account.id,
    plan: 'free',
    features: [],
    created_on: call.service.stamp(),
    status: 'pending',
    ...(type === undefined ? {} : { type }),
  };
  store.zones.set(zone.id, zone);
  return result(showZone({ zone, account }));
}

const changeBody = object(
  { paused: flag(), type: word('full', 'partial', 'secondary'), vanity_name_servers: list(text()) },
  { some: 'any' },
);

/** PATCH zone: pauses it, or changes its type or its own name servers (newest schema). */
export function changeZone(call: ScopedCall): Answer {
  checkPermission(call, 'Write', ['Zone']);
  const zone = { ...zoneOf(call), ...readBody(call, changeBody) };
  call.service.store.zones.set(zone.id, zone);
  return result(showZone({ zone, account: call.scope.account }));
}

/** DELETE zone, with its rulesets. */
export function deleteZone(call: ScopedCall): Answer {
  checkPermission(call, 'Write', ['Zone']);
  const { zones, rulesets } = call.service.store;
  const { id } = zoneOf(call);
  for (const ruleset of rulesets.group(call.scope.owner)) {
    rulesets.delete(ruleset.id);
  }
  zones.delete(id);
  return result({ id });
}

function statusOf({ status = 'active' }: Zone): string {
  return status;
}

function typeOf({ type = 'full' }: Zone): string {
  return type;
}

function showZone({ zone, account }: Pick<ZoneScope, 'zone' | 'account'>): unknown {
  return {
    id: zone.id,
    name: zone.name,
    status: statusOf(zone),
    paused: zone.paused ?? false,
    type: typeOf(zone),
    ...(zone.vanity_name_servers === undefined ? {} : { vanity_name_servers: zone.vanity_name_servers }),
    development_mode: 0,
    name_servers: ['ada.ns.example', 'bob.ns.example'],
    original_name_servers: null,
    original_registrar: null,
    original_dnshost: null,
    created_on: zone.created_on,
    modified_on: zone.created_on,
    activated_on: zone.status === undefined ? zone.created_on : null,
    meta: {
      step: 2,
      custom_certificate_quota: zone.plan === 'enterprise' ? 1 : 0,
      page_rule_quota: pageRules.quota.max[zone.plan],
      phishing_detected: false,
    },
    owner: { id: account.id, type: 'organization', name: account.name },
    account: { id: account.id, name: account.name },
    permissions: ['#zone:read', '#zone:edit'],
    plan: {
      id: zone.plan,
      name: PLAN_NAMES[zone.plan],
      price: 0,
      currency: 'USD',
      frequency: '',
      is_subscribed: zone.plan !== 'free',
      can_subscribe: false,
      legacy_id: zone.plan,
      legacy_discount: false,
      externally_managed: false,
    },
  };
}
