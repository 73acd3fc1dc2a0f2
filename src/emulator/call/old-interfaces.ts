import { refuse } from '../protocol/refusal.ts';
import type { Refusal } from '../protocol/refusal.ts';
import { checkPermission, zoneOf } from './call.ts';
import type { Access, ScopedCall } from './call.ts';

const MAINTENANCE =
  'firewallrules.api.maintenance_mode. This API is in maintenance mode and no longer accepts modifications. Please migrate to the new Firewall Rules API at https://developers.cloudflare.com/waf/reference/legacy/firewall-rules-upgrade/';

/** Refuses a credential without the permission group of the old firewall families (api.md 11.3). */
export function checkServicesPermission(call: ScopedCall, access: Access): void {
  checkPermission(call, access, ['Firewall Services']);
}

/**
 * Like `checkServicesPermission`, for families that have ended: firewall rules, filters, old rate limits. Refuses calls
 * that the state of the interface does not allow (api.md 9, 13.4).
 */
export function checkEndedFamily(
  call: ScopedCall,
  access: Access,
  family: 'firewall' | 'rate_limits' = 'firewall',
): void {
  checkServicesPermission(call, access);
  const state = interfaceState(call);
  if (state === 'gone') {
    throw interfaceGone();
  }
  // Maintenance mode was only ever seen on firewall rules and filters.
  if (state === 'maintenance' && access === 'Write' && family === 'firewall') {
    throw refuse(400, MAINTENANCE, { code: 10020 });
  }
}

/** Returns the state of a zone's old interfaces: the zone's own setting, or else the service's switch. */
export function interfaceState(call: ScopedCall): 'open' | 'maintenance' | 'gone' {
  return zoneOf(call).firewall?.interface ?? call.service.switches.oldInterfaces;
}

/** Makes the refusal of any call after the end of an interface (api.md 13.4; text assumed). */
export function interfaceGone(): Refusal {
  return refuse(410, 'This endpoint has been deprecated and removed. Please use the Rulesets API instead.');
}
