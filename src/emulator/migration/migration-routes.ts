import { zoneOf } from '../call/call.ts';
import type { Access, ScopedCall } from '../call/call.ts';
import { checkServicesPermission } from '../call/old-interfaces.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { attempt, decline, refuse } from '../protocol/refusal.ts';
import type { Zone } from '../records/directory-record.ts';
import { stateOf } from '../waf/migration-state.ts';
import { inZones } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { equivalentConfiguration } from './migration-configuration.ts';
import { blockersOf, readPhase } from './migration-eligibility.ts';

/** GET check (specification 4.3); shows the state only for zones that can go on (api.md 10.1). */
function checkMigration(call: ScopedCall): Answer {
  const zone = migratingZone(call, 'Read');
  const { state } = stateOf(call.service, zone);
  const compatible = attempt(() => checkMigratable(call, zone)) === undefined;
  return result(compatible ? { compatible, migration_state: state } : { compatible });
}

/** GET config: the configuration equivalent to the old one; for eligible zones only (assumed). */
function getConfiguration(call: ScopedCall): Answer {
  const zone = migratingZone(call, 'Read');
  checkMigratable(call, zone);
  return result(equivalentConfiguration(call.service.store, zone));
}

/** GET status (specification 3.1 rule 6, api.md 10.1). */
function getStatus(call: ScopedCall): Answer {
  const zone = migratingZone(call, 'Read');
  const view = stateOf(call.service, zone);
  return result({
    old_waf_status: view.oldWaf,
    new_waf_status: view.newWaf,
    migration_state: view.state,
    source: view.source,
    created: view.created,
  });
}

/** Refuses a step of the migration that the zone cannot take now. */
export function checkMigratable(call: ScopedCall, zone: Zone): void {
  const { state } = stateOf(call.service, zone);
  if (state === 'default' || state === 'complete') {
    // There is no way back (specification 3.1 rule 1).
    throw refuse(400, 'the zone uses the new managed rules already; this cannot be reversed');
  }
  if (state === 'pending') {
    throw refuse(400, 'the migration of the zone is being finished');
  }
  const phase = readPhase(call.query);
  const blockers = blockersOf(call.service, { zone, account: call.scope.account, phase });
  if (blockers.length > 0) {
    throw refuse(400, `the zone cannot be migrated: ${blockers.join('; ')}`);
  }
}

/**
 * Checks that a call may read or write the migration of its zone, and returns the zone. Free zones have no migration
 * (api.md 10.1; status and text assumed).
 */
export function migratingZone(call: ScopedCall, access: Access): Zone {
  const zone = zoneOf(call);
  checkServicesPermission(call, access);
  return zone.plan === 'free' ? decline(refuse(404, 'WAF migration is not available for this zone')) : zone;
}

/** The read operations of the WAF migration; the write is a PUT of the Rulesets interface (specification 4.3). */
export const migrationRoutes: readonly Route[] = [
  inZones('GET', '/waf_migration/check', checkMigration),
  inZones('GET', '/waf_migration/config', getConfiguration),
  inZones('GET', '/waf_migration/status', getStatus),
];
