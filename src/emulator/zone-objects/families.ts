import type { Route } from '../call/route.ts';
import { accessRules } from './access-rules.ts';
import { detections } from './detections.ts';
import { dnsRecords } from './dns-records.ts';
import { familyRoutes } from './family.ts';
import { lockdowns } from './lockdowns.ts';
import { pageRules } from './page-rules.ts';
import { rateLimits } from './rate-limits.ts';
import { uaRules } from './ua-rules.ts';

/** The routes of the families whose objects have an owner and are in no ruleset (api.md 9.6, 9.7). */
export const zoneObjectRoutes: readonly Route[] = [
  rateLimits,
  pageRules,
  lockdowns,
  uaRules,
  accessRules,
  dnsRecords,
  detections,
].flatMap(familyRoutes);
