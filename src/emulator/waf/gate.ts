import type { ScopedCall } from '../call.ts';
import { servicesProblem } from '../firewall/access.ts';
import { interfaceGone } from '../firewall/errors.ts';
import { stateOf } from '../migration/state.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { Zone } from '../store/records.ts';
import { zoneOf } from '../zone-objects.ts';
import { oldWafStopped } from './errors.ts';
import { type OldWaf, untouchedWaf } from './old-waf.ts';

/**
 * The zone's old WAF for a call that reads or writes it: refused without permission (api.md 11.3), once the interface
 * is gone (a switch, api.md 13.4), and once the zone has migrated (specification 3.1 rule 2, 7.4).
 */
export function openOldWaf(
  call: ScopedCall,
  access: 'Read' | 'Write',
): { readonly zone: Zone; readonly waf: OldWaf } | Refusal {
  const denied = servicesProblem(call, access);
  if (denied !== undefined) {
    return denied;
  }
  const { service } = call;
  const zone = zoneOf(call);
  if ((zone.firewall?.interface ?? service.switches.oldInterfaces) === 'gone') {
    return interfaceGone();
  }
  return stateOf(service, zone).oldWaf === 'disabled'
    ? oldWafStopped()
    : { zone, waf: service.store.oldWafs.get(zone.id) ?? untouchedWaf(zone.id) };
}
