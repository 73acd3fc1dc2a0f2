import { accountScope, reaches, zoneOf, zoneScope } from '../call/call.ts';
import type { Call } from '../call/call.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { inAccounts, inZones, plainRoute } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import type { Account, Zone } from '../records/directory.ts';
import { pageOf, readPage } from '../listing/pages.ts';
import { showAccount } from '../deprecated/show-account.ts';

const PLAN_NAMES = {
  free: 'Free Website',
  pro: 'Pro Website',
  business: 'Business Website',
  enterprise: 'Enterprise Website',
} as const;

/** The routes about who the caller is and what the caller can see: token check, accounts, zones (api.md 1.1, 13.4). */
export const directoryRoutes: readonly Route[] = [
  plainRoute('GET', '/user/tokens/verify', verifyToken),
  plainRoute('GET', '/accounts', listAccounts),
  plainRoute('GET', '/zones', listZones),
  inZones('GET', '', (call) => result(showZone(zoneOf(call), call.scope.account))),
  inAccounts('GET', '', ({ scope, service }) => result(showAccount(service.store, scope.account))),
];

function verifyToken(call: Call): Answer {
  const id = call.credential.token?.id ?? call.credential.user.id;
  const messages = [{ code: 10000, message: 'This API Token is valid and active', type: null }];
  return { kind: 'result', result: { id, status: 'active' }, messages };
}

function listAccounts(call: Call): Answer {
  const page = readPage(call.query, { min: 1, max: 50, standard: 20 });
  const name = call.query.get('name');
  const accounts = call.service.store.accounts
    .all()
    .filter((account) => name === null || account.name === name)
    .filter((account) => accountVisible(call, account));
  return pageOf(accounts, page, (account) => showAccount(call.service.store, account));
}

function listZones(call: Call): Answer {
  const page = readPage(call.query, { min: 5, max: 50, standard: 20 });
  const name = call.query.get('name');
  const accountId = call.query.get('account.id');
  const { store } = call.service;
  const zones = store.zones
    .all()
    .filter((zone) => name === null || zone.name === name)
    .filter((zone) => accountId === null || zone.account === accountId)
    .flatMap((zone) => {
      const account = store.accounts.get(zone.account);
      return account !== undefined && reaches(call.credential, zoneScope(zone, account))
        ? [{ zone, account }]
        : [];
    });
  return pageOf(zones, page, ({ zone, account }) => showZone(zone, account));
}

// An account is visible to a credential that reaches the account or one of its zones.
function accountVisible(call: Call, account: Account): boolean {
  const { credential, service } = call;
  return (
    reaches(credential, accountScope(account)) ||
    service.store.zones.group(account.id).some((zone) => reaches(credential, zoneScope(zone, account)))
  );
}

function showZone(zone: Zone, account: Account): unknown {
  return {
    id: zone.id,
    name: zone.name,
    status: 'active',
    paused: false,
    type: 'full',
    development_mode: 0,
    name_servers: ['ada.ns.example', 'bob.ns.example'],
    account: { id: account.id, name: account.name },
    plan: { legacy_id: zone.plan, name: PLAN_NAMES[zone.plan] },
    created_on: zone.created_on,
    modified_on: zone.created_on,
    activated_on: zone.created_on,
  };
}
