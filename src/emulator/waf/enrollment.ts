import type { Clock } from '../environment/clock.ts';
import { refuse } from '../protocol/refusal.ts';
import type { Place } from '../call/place.ts';
import type { StoredRule } from '../records/ruleset.ts';
import type { Store } from '../store/store.ts';
import { stateOf } from './migration-state.ts';

/** The phase that holds a zone's managed rules (specification 2.2). */
export const MANAGED_PHASE = 'http_request_firewall_managed';

/**
 * Restricts ordinary writes to the managed rules before the migration (api.md 10.2): Pro and Business zones may only
 * write disabled rules, Enterprise zones also enabled execute rules; neither starts the migration. Other enabled rules
 * of Enterprise zones are refused (assumed).
 */
export function checkEnrollment(
  service: { readonly store: Store; readonly clock: Clock },
  rules: readonly StoredRule[],
  place: Place,
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
