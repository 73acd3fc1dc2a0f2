import { auditRoutes } from '../audit/audit-routes.ts';
import { analyticsRoutes } from '../analytics/analytics-routes.ts';
import { tableRoutes } from '../families/family-tables.ts';
import { directoryRoutes } from '../directory/directory-routes.ts';
import { firewallRoutes } from '../firewall/firewall-routes.ts';
import { listRoutes } from '../lists/list-routes.ts';
import { putOrMigrate } from '../migration/put-or-migrate.ts';
import { migrationRoutes } from '../migration/migration-routes.ts';
import type { Route } from '../call/route.ts';
import { rulesetRoutes } from '../rulesets/ruleset-routes.ts';
import { oldWafRoutes } from '../waf/waf-routes.ts';

/** All operations of the interface, family by family; each family has a folder of its own. */
export const routes: readonly Route[] = [
  ...directoryRoutes,
  ...rulesetRoutes(putOrMigrate),
  ...firewallRoutes,
  ...listRoutes,
  ...oldWafRoutes,
  ...migrationRoutes,
  ...tableRoutes,
  ...analyticsRoutes,
  ...auditRoutes,
];
