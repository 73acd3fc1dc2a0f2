import { inZones } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { checkMigration, getConfiguration, getStatus } from './read.ts';

/** The read operations of the WAF migration; the write is a PUT of the Rulesets interface (specification 4.3). */
export const migrationRoutes: readonly Route[] = [
  inZones('GET', '/waf_migration/check', checkMigration),
  inZones('GET', '/waf_migration/config', getConfiguration),
  inZones('GET', '/waf_migration/status', getStatus),
];
