import { plainFamilyRoutes } from '../deprecated/plain-families.ts';
import { directoryRoutes } from '../directory/routes.ts';
import { firewallRoutes } from '../firewall/routes.ts';
import { listRoutes } from '../lists/routes.ts';
import { putOrMigrate } from '../migration/put.ts';
import { migrationRoutes } from '../migration/migration-routes.ts';
import type { Route } from '../call/route.ts';
import { rulesetRoutes } from '../rulesets/routes.ts';
import { documentRoutes } from '../settings/documents.ts';
import { settingRoutes } from '../settings/zone-settings.ts';
import { oldWafRoutes } from '../waf/routes.ts';
import { zoneObjectRoutes } from '../zone-objects/families.ts';

/** All operations of the interface, family by family; each family has a folder of its own. */
export const routes: readonly Route[] = [
  ...directoryRoutes,
  ...rulesetRoutes(putOrMigrate),
  ...firewallRoutes,
  ...zoneObjectRoutes,
  ...listRoutes,
  ...oldWafRoutes,
  ...migrationRoutes,
  ...settingRoutes,
  ...documentRoutes,
  ...plainFamilyRoutes,
];
