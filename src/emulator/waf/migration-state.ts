import type { ServiceClock } from '../environment/service-clock.ts';
import type { Zone } from '../records/directory-record.ts';
import type { Store } from '../store/store.ts';
import type {
  MigrationState,
  MigrationCause,
  MigrationStep,
  StoredWafStatus,
  WafMigration,
} from '../records/old-records.ts';
import { refuse } from '../protocol/refusal.ts';
import type { CallLocation } from '../call/call-location.ts';
import type { StoredRule } from '../records/ruleset-record.ts';

/** Where the migration of a zone stands now. */
export interface MigrationView {
  readonly state: MigrationState;
  readonly oldWaf: StoredWafStatus;
  readonly newWaf: StoredWafStatus;
  /** `zone`: the zone has a migration record; `defaults`: it has none (meaning assumed, api.md 10.1). */
  readonly source: 'zone' | 'defaults';
  readonly created: string;
  readonly steps: readonly MigrationStep[];
}

/** Which WAF is active in each state (specification 3.1, api.md 10.1). */
const ACTIVE: Readonly<
  Record<MigrationState, { readonly old: StoredWafStatus; readonly new: StoredWafStatus }>
> = {
  default: { old: 'disabled', new: 'enabled' },
  start: { old: 'enabled', new: 'disabled' },
  validation: { old: 'enabled', new: 'enabled' },
  // The previous WAF is switched off last, so that the zone is always protected (specification 3.1, second row).
  pending: { old: 'enabled', new: 'enabled' },
  complete: { old: 'disabled', new: 'enabled' },
};

/** Returns the migration state of a zone at the current time; a last step that is due counts as done. */
export function stateOf(
  service: { readonly store: Store; readonly clock: ServiceClock },
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

/** Makes a step that ends in a state, with which WAF is active in that state. */
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

/** The phase that holds a zone's managed rules (specification 2.2). */
export const MANAGED_PHASE = 'http_request_firewall_managed';

/**
 * Restricts ordinary writes to the managed rules before the migration (api.md 10.2): Pro and Business zones may only
 * write disabled rules, Enterprise zones also enabled execute rules; neither starts the migration. Other enabled rules
 * of Enterprise zones are refused (assumed).
 */
export function checkEnrollment(
  service: { readonly store: Store; readonly clock: ServiceClock },
  rules: readonly StoredRule[],
  place: CallLocation,
): void {
  const { scope } = place;
  if (
    scope.kind !== 'zone' ||
    place.phase !== MANAGED_PHASE ||
    stateOf(service, scope.zone).state !== 'start'
  ) {
    return;
  }
  const enterprise = scope.zone.plan === 'enterprise';
  const allowed = rules.every(
    ({ definition }) => !definition.enabled || (enterprise && definition.action === 'execute'),
  );
  if (!allowed) {
    throw refuse(400, 'WAF enrollment is required');
  }
}
