import type { ReadClient } from '../../api/index.ts';
import { isServiceError, getWafMigrationStatus } from '../../api/index.ts';
import type { Scope, WafStanding } from '../../model/index.ts';
import type { OnEvent } from '../run/events.ts';
import type { ChosenZones } from '../service/each-zone.ts';
import { eachZone } from '../service/each-zone.ts';
import type { ServiceOptions } from '../service/service-options.ts';

/** Reads how far zones are in the WAF migration. */
export function wafStandings(
  zones: ChosenZones,
  options: ServiceOptions,
  report: OnEvent,
): Promise<readonly WafStanding[]> {
  return eachZone(zones, { options, report }, standingOf);
}

/** Reads how far a zone is in the WAF migration. Zones of the Free level have none: the service fails for them (api.md 10.1). */
export async function standingOf(client: ReadClient, scope: Scope): Promise<WafStanding> {
  try {
    return { kind: 'known', scope, status: await getWafMigrationStatus(client, scope.id) };
  } catch (error) {
    if (scope.plan === 'free' && (isServiceError(error, 404) || isServiceError(error, 403))) {
      return { kind: 'none', scope };
    }
    throw error;
  }
}
