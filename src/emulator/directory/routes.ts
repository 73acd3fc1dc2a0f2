import { checkPermission, param } from '../call/call.ts';
import type { Call } from '../call/call.ts';
import { inAccounts, inZones, plainRoute } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { namedId } from '../environment/ids.ts';
import { pageOf, readPage } from '../listing/pages.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { decline } from '../protocol/refusal.ts';
import { notFound } from '../protocol/templates.ts';
import { createAccount, getAccount, listAccounts, putAccount } from './accounts.ts';
import { createZone, deleteZone, getZone, listZones } from './zones.ts';

/** The routes about who the caller is and what the caller can see: user, token check, accounts, zones (api.md 1.1, 13.4). */
export const directoryRoutes: readonly Route[] = [
  plainRoute('GET', '/user', getUser),
  plainRoute('GET', '/user/tokens/verify', verifyToken),
  plainRoute('GET', '/accounts', listAccounts),
  plainRoute('POST', '/accounts', createAccount),
  inAccounts('GET', '', getAccount),
  inAccounts('PUT', '', putAccount),
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
