import type { Clock } from '../environment/clock.ts';
import type { Switches } from '../environment/switches.ts';
import type { Zone } from '../records/directory.ts';
import type { Store } from '../store/store.ts';
import { stateOf, stepTo } from '../waf/migration-state.ts';
import type { MigrationCause, MigrationState, MigrationStep } from '../records/waf-migration.ts';

/** The parts of the service that a migration step needs. */
export interface MigrationTools {
  readonly store: Store;
  readonly clock: Clock;
  readonly switches: Switches;
}

/** How long the last step takes with the switch `migrationTime: minutes`: "a couple of minutes" (specification 3.1). */
const FINISH_SECONDS = 120;

/**
 * Moves a zone to validation mode or to the end of the migration. The configuration is saved and the new managed rules
 * are on before the previous WAF goes off; there is no step in which both are off (specification 3.1).
 */
export function advance(
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
