import { zoneOf } from '../call/call.ts';
import type { Access, ScopedCall } from '../call/call.ts';
import { checkServicesPermission, interfaceGone, interfaceState } from '../zone-objects/access.ts';
import { refuse } from '../protocol/refusal.ts';
import { stateOf } from './migration-state.ts';
import type { Zone } from '../records/directory.ts';
import { untouchedWaf } from './old-waf.ts';
import type { OldWaf } from '../records/old-waf.ts';

/**
 * Returns the old WAF of the zone for a call that reads or writes it. Refuses a call without permission (api.md 11.3),
 * after the interface is gone (a switch, api.md 13.4), and after the zone has migrated (specification 3.1 rule 2, 7.4).
 */
export function openOldWaf(call: ScopedCall, access: Access): { readonly zone: Zone; readonly waf: OldWaf } {
  checkServicesPermission(call, access);
  const { service } = call;
  const zone = zoneOf(call);
  if (interfaceState(call) === 'gone') {
    throw interfaceGone();
  }
  if (stateOf(service, zone).oldWaf === 'disabled') {
    throw refuse(410, 'the previous managed rules of this zone are gone: it uses the new managed rules');
  }
  return { zone, waf: service.store.oldWafs.get(zone.id) ?? untouchedWaf(zone.id) };
}
