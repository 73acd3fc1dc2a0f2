import { permissionProblem, type ScopedCall } from '../call.ts';
import type { Refusal } from '../protocol/refusal.ts';
import { zoneOf } from '../zone-objects.ts';
import { interfaceGone, maintenanceMode } from './errors.ts';

const GROUP = 'Firewall Services';

/** The refusal of a credential without the permission group of the old firewall families (api.md 11.3). */
export function servicesProblem(call: ScopedCall, access: 'Read' | 'Write'): Refusal | undefined {
  const groups = access === 'Read' ? [`${GROUP} Read`, `${GROUP} Write`] : [`${GROUP} Write`];
  return permissionProblem(call, groups);
}

/** As `servicesProblem`, for families that have come to their end: firewall rules, filters, old rate limits (api.md 9, 13.4). */
export function endedFamilyProblem(
  call: ScopedCall,
  access: 'Read' | 'Write',
  family: 'firewall' | 'rate_limits' = 'firewall',
): Refusal | undefined {
  const denied = servicesProblem(call, access);
  if (denied !== undefined) {
    return denied;
  }
  const state = zoneOf(call).firewall?.interface ?? call.service.switches.oldInterfaces;
  if (state === 'gone') {
    return interfaceGone();
  }
  // Maintenance was only ever seen on firewall rules and filters.
  return state === 'maintenance' && access === 'Write' && family === 'firewall'
    ? maintenanceMode()
    : undefined;
}
