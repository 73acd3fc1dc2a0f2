import type { Route } from '../call/route.ts';
import { familyRoutes } from './family.ts';
import type { ObjectFamily } from './family.ts';
import { lockdowns } from './lockdowns.ts';
import { pageRules } from './page-rules.ts';
import { rateLimits } from './rate-limits.ts';
import { uaRules } from './ua-rules.ts';

/** The families whose objects belong to a zone and to nothing else (api.md 9.6, 9.7). */
export const objectFamilies: readonly ObjectFamily[] = [rateLimits, pageRules, lockdowns, uaRules];

/** The routes of these families. */
export const zoneObjectRoutes: readonly Route[] = objectFamilies.flatMap(familyRoutes);
