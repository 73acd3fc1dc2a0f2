import {
  checkPermission,
  param,
  accountScope,
  checkAllRights,
  reaches,
  readBody,
  zoneScope,
} from '../call/call.ts';
import type { Call, ScopedCall } from '../call/call.ts';
import { inAccounts, inZones, plainRoute } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { namedId } from '../environment/service-clock.ts';
import { pageOf, readPage, ordered } from '../listing/list-page.ts';
import { objectAt, textAt } from '../protocol/wire-object.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { decline, notFound, refuse } from '../protocol/refusal.ts';
import { flag, object, opaque, text, word } from '../decode/body-shape.ts';
import type { ValueOf } from '../decode/body-shape.ts';
import { accountTypes } from '../records/directory-record.ts';
import type { Account } from '../records/directory-record.ts';
import { changeDnsSettings, dnsSettings, NAMESERVER_TYPES } from '../families/dns-settings.ts';
import type { Store } from '../store/store.ts';
import { changeZone, createZone, deleteZone, getZone, listZones } from './zone-routes.ts';

const settings = object({
  abuse_contact_email: text(),
  enforce_twofactor: flag(),
  default_nameservers: word(...NAMESERVER_TYPES),
  use_account_custom_ns_by_default: flag(),
});
const type = word(...accountTypes);
const createBody = object({ name: text({ min: 1 }), type, unit: opaque, settings }, { required: ['name'] });
const putBody = object(
  { id: text(), name: text({ min: 1 }), type, managed_by: opaque, created_on: opaque, settings },
  { required: ['name'] },
);

/** GET accounts: those that the credential, or one of whose zones it, reaches. */
function listAccounts(call: Call): Answer {
  const page = readPage(call.query, { min: 1, max: 50, standard: 20 });
  const name = call.query.get('name');
  const { store } = call.service;
  const accounts = store.accounts
    .all()
    .filter((account) => name === null || account.name === name)
    .filter((account) => accountVisible(call, account));
  return pageOf(ordered(call.query, accounts, { name: (account) => account.name }), page, (account) =>
    showAccount(store, account),
  );
}

function accountVisible({ credential, service }: Call, account: Account): boolean {
  return (
    reaches(credential, accountScope(account)) ||
    service.store.zones.group(account.id).some((zone) => reaches(credential, zoneScope(zone, account)))
  );
}

/** GET account. */
function getAccount({ scope, service }: ScopedCall): Answer {
  return result(showAccount(service.store, scope.account));
}

/** POST account (specification 9, row of 2025-03-14): allowed with a key, or with a token that has all rights. */
function createAccount(call: Call): Answer {
  checkAllRights(call);
  const { name, type: kind, settings: wanted } = readBody(call, createBody);
  const { service } = call;
  const account: Account = {
    id: service.newId(),
    name,
    plan: 'free',
    features: [],
    created_on: service.stamp(),
    ...(kind === undefined ? {} : { type: kind }),
  };
  return stored(service.store, account, wanted);
}

/** PUT account: changes its name and settings; its type cannot change (assumed). */
function putAccount(call: ScopedCall): Answer {
  checkPermission(call, 'Write', ['Account Settings']);
  const { name, settings: wanted } = readBody(call, putBody);
  return stored(call.service.store, { ...call.scope.account, name }, wanted);
}

/** DELETE account: needs all rights, and that no zone is left in it (newest schema; both assumed). */
function deleteAccount(call: ScopedCall): Answer {
  checkAllRights(call);
  const { store } = call.service;
  const { id } = call.scope.account;
  if (store.zones.group(id).length > 0) {
    throw refuse(400, 'the account still has zones');
  }
  store.accounts.delete(id);
  return result({ id });
}

type DirectorySettings = ValueOf<typeof settings>;

function stored(store: Store, account: Account, wanted: DirectorySettings = {}): Answer {
  const { enforce_twofactor = account.enforce_twofactor ?? false } = wanted;
  const next = { ...account, enforce_twofactor };
  store.accounts.set(account.id, next);
  const nameservers = wantedNameservers(wanted);
  if (nameservers !== undefined) {
    changeDnsSettings(store, `accounts/${account.id}`, { nameservers: { type: nameservers } });
  }
  return result(showAccount(store, next));
}

/** Returns the nameserver type that the old settings ask for; the named type takes precedence over the flag (assumed). */
function wantedNameservers({
  default_nameservers: named,
  use_account_custom_ns_by_default: custom,
}: DirectorySettings): string | undefined {
  return named ?? (custom === undefined ? undefined : custom ? 'custom.account' : 'cloudflare.standard');
}

/** Shows an account as in answers. Two of its settings mirror the DNS settings (specification 9, row of 2025-03-14). */
function showAccount(store: Store, account: Account): unknown {
  const settings = dnsSettings(store, `accounts/${account.id}`);
  const nameservers = textAt(objectAt(settings, 'nameservers') ?? {}, 'type');
  return {
    id: account.id,
    name: account.name,
    type: account.type ?? (account.plan === 'enterprise' ? 'enterprise' : 'standard'),
    settings: {
      enforce_twofactor: account.enforce_twofactor ?? false,
      default_nameservers: nameservers,
      use_account_custom_ns_by_default: nameservers === 'custom.account',
    },
    created_on: account.created_on,
  };
}

/** The routes about who the caller is and what the caller can see: user, token check, accounts, zones (api.md 1.1, 13.4). */
export const directoryRoutes: readonly Route[] = [
  plainRoute('GET', '/user', getUser),
  plainRoute('GET', '/user/tokens/verify', verifyToken),
  plainRoute('GET', '/accounts', listAccounts),
  plainRoute('POST', '/accounts', createAccount),
  inAccounts('GET', '', getAccount),
  inAccounts('PUT', '', putAccount),
  inAccounts('DELETE', '', deleteAccount),
  inAccounts('GET', '/tokens/verify', verifyToken),
  inAccounts('GET', '/roles', (call) => {
    checkPermission(call, 'Read', ['Account Settings']);
    return pageOf(roles, readPage(call.query, { min: 1, max: 50, standard: 20 }), (role) => role);
  }),
  inAccounts('GET', '/roles/:role', (call) => {
    checkPermission(call, 'Read', ['Account Settings']);
    const id = param(call, 'role');
    return result(roles.find((role) => role.id === id) ?? decline(notFound('role', id)));
  }),
  plainRoute('GET', '/zones', listZones),
  plainRoute('POST', '/zones', createZone),
  inZones('GET', '', getZone),
  inZones('PATCH', '', changeZone),
  inZones('DELETE', '', deleteZone),
];

function verifyToken(call: Call): Answer {
  const id = call.credential.token?.id ?? call.credential.user.id;
  const messages = [{ code: 10000, message: 'This API Token is valid and active', type: null }];
  return { kind: 'result', result: { id, status: 'active' }, messages };
}

function getUser({ credential: { user }, service }: Call): Answer {
  const hasPlan = (plan: string): boolean => service.store.zones.all().some((zone) => zone.plan === plan);
  return result({
    id: user.id,
    email: user.email,
    first_name: null,
    last_name: null,
    telephone: null,
    country: null,
    zipcode: null,
    suspended: false,
    two_factor_authentication_enabled: false,
    two_factor_authentication_locked: false,
    has_pro_zones: hasPlan('pro'),
    has_business_zones: hasPlan('business'),
    has_enterprise_zones: hasPlan('enterprise'),
  });
}

const AREAS = ['analytics', 'dns', 'dns_records', 'organization', 'ssl', 'waf', 'zone_settings', 'zones'];

/** Some roles of an account; ids are made up. */
const roles = [
  { name: 'Super Administrator - All Privileges', areas: AREAS, write: true },
  { name: 'Administrator', areas: AREAS.filter((area) => area !== 'organization'), write: true },
  { name: 'Administrator Read Only', areas: AREAS, write: false },
  { name: 'Firewall', areas: ['waf'], write: true },
].map(({ name, areas, write }) => ({
  id: namedId('role', name),
  name,
  description: `${write ? 'Can edit' : 'Can read'}: ${areas.join(', ')}`,
  permissions: Object.fromEntries(areas.map((area) => [area, { read: true, write }])),
}));
