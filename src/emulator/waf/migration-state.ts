import type { Clock } from '../environment/clock.ts';
import type { Zone } from '../records/directory.ts';
import type { Store } from '../store/store.ts';
import type {
  MigrationState,
  MigrationCause,
  MigrationStep,
  WafStatus,
  WafMigration,
} from '../records/waf-migration.ts';

/** Where a zone stands now. */
export interface MigrationView {
  readonly state: MigrationState;
  readonly oldWaf: WafStatus;
  readonly newWaf: WafStatus;
  /** `zone`: from the zone's record; `defaults`: the zone has none (meaning assumed, api.md 10.1). */
  readonly source: 'zone' | 'defaults';
  readonly created: string;
  readonly steps: readonly MigrationStep[];
}

/** What is switched on in each state (specification 3.1, api.md 10.1). */
const ACTIVE: Readonly<Record<MigrationState, { readonly old: WafStatus; readonly new: WafStatus }>> = {
  default: { old: 'disabled', new: 'enabled' },
  start: { old: 'enabled', new: 'disabled' },
  validation: { old: 'enabled', new: 'enabled' },
  // The previous WAF goes last, so that the zone is protected all the time (specification 3.1, second row).
  pending: { old: 'enabled', new: 'enabled' },
  complete: { old: 'disabled', new: 'enabled' },
};

/** The state of a zone at this moment of the clock: what was to be finished by now is. */
export function stateOf(
  service: { readonly store: Store; readonly clock: Clock },
  zone: Zone,
): MigrationView {
  const record = service.store.wafMigrations.get(zone.id);
  if (record === undefined) {
    const { old, new: fresh } = ACTIVE.default;
    return {
      state: 'default',
      oldWaf: old,
      newWaf: fresh,
      source: 'defaults',
      created: zone.created_on,
      steps: [],
    };
  }
  const { state, steps } = finished(record, service.clock.now());
  return {
    state,
    oldWaf: ACTIVE[state].old,
    newWaf: ACTIVE[state].new,
    source: 'zone',
    created: record.created,
    steps,
  };
}

function finished(record: WafMigration, now: number): WafMigration {
  return record.state === 'pending' && record.finishes !== undefined && now >= record.finishes
    ? {
        ...record,
        state: 'complete',
        steps: [...record.steps, stepTo('complete', 'previous WAF disabled', record.finishes, 'service')],
      }
    : record;
}

/** A step that ends in a state's way of being switched on. */
export function stepTo(
  state: MigrationState,
  step: MigrationStep['step'],
  at: number,
  cause: MigrationCause,
): MigrationStep {
  return {
    at: new Date(at).toISOString(),
    cause,
    step,
    old_waf_status: ACTIVE[state].old,
    new_waf_status: ACTIVE[state].new,
    migration_state: state,
  };
}
