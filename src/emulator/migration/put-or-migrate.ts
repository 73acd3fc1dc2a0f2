import type { ScopedCall } from '../call/call.ts';
import type { Answer } from '../protocol/answer.ts';
import { badParameter, refuse } from '../protocol/refusal.ts';
import { putEntryPoint } from '../rulesets/entry-point-routes.ts';
import { MANAGED_PHASE, stateOf, stepTo } from '../waf/migration-state.ts';
import type { MigrationCause, MigrationState, MigrationStep } from '../records/old-records.ts';
import type { ServiceClock } from '../environment/service-clock.ts';
import type { Switches } from '../environment/switches.ts';
import type { Zone } from '../records/directory-record.ts';
import type { Store } from '../store/store.ts';
import { checkMigratable, migratingZone } from './migration-routes.ts';

/** The parts of the service that a migration step needs. */
interface MigrationTools {
  readonly store: Store;
  readonly clock: ServiceClock;
  readonly switches: Switches;
}

/** How long the last step takes with the switch `migrationTime: minutes`: "a couple of minutes" (specification 3.1). */
const FINISH_SECONDS = 120;

/**
 * Moves a zone to validation mode or to the end of the migration. The configuration is saved and the new managed rules
 * are on before the previous WAF goes off; there is no step in which both are off (specification 3.1).
 */
function advance(
  tools: MigrationTools,
  zone: Zone,
  to: { readonly mode: 'validation' | 'pending'; readonly cause: MigrationCause },
): void {
  const record = tools.store.wafMigrations.get(zone.id);
  if (record === undefined) {
    throw new Error(`zone ${zone.name} has nothing to migrate`);
  }
  const before = stateOf(tools, zone);
  const now = tools.clock.now();
  const step = (state: MigrationState, name: MigrationStep['step']): MigrationStep =>
    stepTo(state, name, now, to.cause);
  const atOnce = to.mode === 'pending' && tools.switches.migrationTime === 'immediate';
  const steps = [
    ...before.steps,
    step(before.state, 'configuration saved'),
    ...(before.newWaf === 'enabled' ? [] : [step(to.mode, 'new managed rules enabled')]),
    ...(atOnce ? [step('complete', 'previous WAF disabled')] : []),
  ];
  tools.store.wafMigrations.set(zone.id, {
    zone: zone.id,
    created: record.created,
    state: atOnce ? 'complete' : to.mode,
    ...(to.mode === 'pending' && !atOnce ? { finishes: now + FINISH_SECONDS * 1000 } : {}),
    steps,
  });
}

/** The values of the query parameter `waf_migration` (specification 4.3 rule 1). */
const MODES: Readonly<Record<string, 'validation' | 'pending'>> = {
  validation: 'validation',
  '2': 'validation',
  pending: 'pending',
  '1': 'pending',
};

/** PUT entry point; with `waf_migration`, for a zone's managed rules, the call is a step of the migration (specification 4.3). */
export function putOrMigrate(call: ScopedCall): Answer {
  const value = call.query.get('waf_migration');
  if (value === null || call.scope.kind !== 'zone' || call.params['phase'] !== MANAGED_PHASE) {
    return putEntryPoint(call);
  }
  const mode = Object.hasOwn(MODES, value) ? MODES[value] : undefined;
  if (mode === undefined) {
    throw badParameter('waf_migration', value, `it must be one of ${Object.keys(MODES).join(', ')}`);
  }
  return migrate(call, mode, 'api');
}

/**
 * Takes one step of the migration, with the configuration in the body; all or nothing. The call needs the permission
 * for the old firewall products as well as that of the phase (api.md 11.3).
 */
export function migrate(call: ScopedCall, mode: 'validation' | 'pending', cause: MigrationCause): Answer {
  const zone = migratingZone(call, 'Write');
  if (mode === 'validation' && zone.plan !== 'enterprise') {
    throw refuse(400, 'validation mode is available for Enterprise zones only');
  }
  checkMigratable(call, zone);
  // The step comes before the write, because `checkEnrollment` would refuse the write otherwise; a refused write undoes both.
  advance(call.service, zone, { mode, cause });
  return putEntryPoint(call);
}
