import { permissionProblem, type ScopedCall } from '../call.ts';
import { stateOf } from '../migration/state.ts';
import { noRoute } from '../protocol/gateway-errors.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { Zone } from '../store/records.ts';
import { oldWafEnded, oldWafStopped } from './errors.ts';
import { type OldWaf, untouchedWaf } from './old-waf.ts';

/** The permission groups of the old firewall products (api.md 11.3). */
export const FIREWALL_SERVICES = {
  Read: ['Firewall Services Read', 'Firewall Services Write'],
  Write: ['Firewall Services Write'],
} as const;

/**
 * The zone's old WAF for a call that reads or writes it: refused without permission, after the end of the interface,
 * and once the zone has migrated (specification 3.1 rule 2).
 */
export function openOldWaf(
  call: ScopedCall,
  access: 'Read' | 'Write',
): { readonly zone: Zone; readonly waf: OldWaf } | Refusal {
  const { scope, service } = call;
  if (scope.kind !== 'zone') {
    return noRoute('/');
  }
  const denied = permissionProblem(call, FIREWALL_SERVICES[access]);
  if (denied !== undefined) {
    return denied;
  }
  if (service.switches.oldWaf === 'gone') {
    return oldWafEnded();
  }
  return stateOf(service, scope.zone).oldWaf === 'disabled'
    ? oldWafStopped()
    : { zone: scope.zone, waf: service.store.oldWafs.get(scope.zone.id) ?? untouchedWaf(scope.zone.id) };
}
