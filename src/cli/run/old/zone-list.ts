import type { Scope } from '../../../model/index.ts';
import type { ListedZone, ZoneTelling } from '../../../report/index.ts';
import { zoneListsText } from '../../../report/index.ts';
import type { ExitCode } from '../../exit-code.ts';
import { readZones } from './read-zones.ts';
import type { ZonesCommand, ZonesReading } from './read-zones.ts';

/** One kind of old objects of zones: how to read, describe and name them in JSON. */
export interface ZoneList<Found extends { readonly scope: Scope }>
  extends ZoneTelling<Found>, Pick<ZonesReading<readonly ListedZone<Found>[]>, 'read'> {
  readonly kind: string;
  readonly facts: (found: Found) => object;
}

/** Lists the old objects of zones. */
export function runZoneList<Found extends { readonly scope: Scope }>(
  command: ZonesCommand,
  list: ZoneList<Found>,
): Promise<ExitCode> {
  const { read, kind, facts } = list;
  return readZones(command, {
    read,
    show: (found) => ({
      text: (look) => zoneListsText(found, list, look),
      json: () => ({
        kind,
        formatVersion: 1,
        zones: found.map((zone) => (zone.kind === 'failed' ? zone : { kind: zone.kind, ...facts(zone) })),
      }),
    }),
    exit: (found) => ({ failed: found.some((zone) => zone.kind === 'failed'), different: false }),
  });
}
