import type { Route } from '../call/route.ts';
import { accessRules } from './access-rules.ts';
import { dnsRecords } from './dns-records.ts';
import { documentFamilies } from './document-rows.ts';
import { familyRoutes } from './family.ts';
import type { Family } from './family.ts';
import { lockdowns } from './lockdowns.ts';
import { pageRules } from './page-rules.ts';
import { rateLimits } from './old-rate-limits.ts';
import { retiredFamilyRoutes } from './retired-families.ts';
import { uaRules } from './ua-rules.ts';
import { settingRoutes } from './zone-settings.ts';

const families: readonly Family[] = [
  rateLimits,
  pageRules,
  lockdowns,
  uaRules,
  accessRules,
  dnsRecords,
  ...documentFamilies,
];

/** The operations of all families that are rows of a table: what is in no ruleset and in no list (api.md 9.6, 9.7, 12.1). */
export const tableRoutes: readonly Route[] = [
  ...families.flatMap(familyRoutes),
  ...settingRoutes,
  ...retiredFamilyRoutes,
];
