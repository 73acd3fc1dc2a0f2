import { checkPermission, zoneOf } from '../call/call.ts';
import type { Access, ScopedCall } from '../call/call.ts';
import { refuse } from '../protocol/refusal.ts';
import type { Refusal } from '../protocol/refusal.ts';

const MAINTENANCE =
  'firewallrules.api.maintenance_mode. This API is in maintenance mode and no longer accepts modifications. Please migrate to the new Firewall Rules API at https://developers.cloudflare.com/waf/reference/legacy/firewall-rules-upgrade/';

/** Refuses a credential without the permission group of the old firewall families (api.md 11.3). */
export function checkServicesPermission(call: ScopedCall, access: Access): void {
  checkPermission(call, access, ['Firewall Services']);
}

/** As `checkServicesPermission`, for families that have come to their end: firewall rules, filters, old rate limits (api.md 9, 13.4). */
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
  // Maintenance was only ever seen on firewall rules and filters.
  if (state === 'maintenance' && access === 'Write' && family === 'firewall') {
    throw refuse(400, MAINTENANCE, { code: 10020 });
  }
}

/** How far the old interfaces of a zone are from their end: the zone's own say, or the switch of the service. */
export function interfaceState(call: ScopedCall): 'open' | 'maintenance' | 'gone' {
  return zoneOf(call).firewall?.interface ?? call.service.switches.oldInterfaces;
}

/** Any call after the end of an interface (api.md 13.4; text assumed). */
export function interfaceGone(): Refusal {
  return refuse(410, 'This endpoint has been deprecated and removed. Please use the Rulesets API instead.');
}
