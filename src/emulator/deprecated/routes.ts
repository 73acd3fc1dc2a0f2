import { inAccounts, inZones, plainRoute } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { createAccount, putAccount } from './accounts.ts';
import { createRecord, deleteRecord, getRecord, listRecords, patchRecord, putRecord } from './dns-records.ts';
import {
  getAccountDnsSettings,
  getDnsSettings,
  patchAccountDnsSettings,
  patchDnsSettings,
} from './dns-settings.ts';
import { getMirrored, patchMirrored } from './mirrored-dns-settings.ts';
import { plainFamilyRoutes } from './plain-families.ts';
import { getSetting, listSettings, patchSetting, patchSettings } from './zone-settings.ts';

const SETTING = '/settings/:setting{[a-z0-9_]+}';
const RECORD = '/dns_records/:record';

/**
 * The families that the project does not manage, implemented only as far as each row of the deprecation table shows its
 * dates and effects (specification 9).
 */
export const deprecatedRoutes: readonly Route[] = [
  inZones('GET', '/settings', listSettings),
  inZones('PATCH', '/settings', patchSettings),
  inZones('GET', SETTING, getSetting),
  inZones('PATCH', SETTING, patchSetting),
  inZones('POST', '/settings/:setting{privacy_pass}', patchSetting),
  inZones('GET', '/dns_settings', getDnsSettings),
  inZones('PATCH', '/dns_settings', patchDnsSettings),
  ...(['use_apex_ns', 'secondary_overrides'] as const).flatMap((old) => [
    inZones('GET', `/dns_settings/${old}`, getMirrored(old)),
    inZones('PATCH', `/dns_settings/${old}`, patchMirrored(old)),
  ]),
  inZones('GET', '/dns_records', listRecords),
  inZones('POST', '/dns_records', createRecord),
  inZones('GET', RECORD, getRecord),
  inZones('PUT', RECORD, putRecord),
  inZones('PATCH', RECORD, patchRecord),
  inZones('DELETE', RECORD, deleteRecord),
  inAccounts('GET', '/dns_settings', getAccountDnsSettings),
  inAccounts('PATCH', '/dns_settings', patchAccountDnsSettings),
  inAccounts('PUT', '', putAccount),
  plainRoute('POST', '/accounts', createAccount),
  ...plainFamilyRoutes,
];
