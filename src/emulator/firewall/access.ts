import { type Access, checkPermission, type ScopedCall, zoneOf } from '../call.ts';
import { interfaceGone, maintenanceMode } from './errors.ts';

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
    throw maintenanceMode();
  }
}

/** How far the old interfaces of a zone are from their end: the zone's own say, or the switch of the service. */
export function interfaceState(call: ScopedCall): 'open' | 'maintenance' | 'gone' {
  return zoneOf(call).firewall?.interface ?? call.service.switches.oldInterfaces;
}
