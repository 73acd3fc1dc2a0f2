import type { Scope, FailedScope } from '../model/index.ts';
import type { ExitCode } from '../cli/index.ts';
import { scopeLabel } from '../model/index.ts';
import { someNames, counted } from '../text/index.ts';
import { failedCallouts, groupFailed, paragraph, span } from '../report/index.ts';
import type { Document, SectionBlock } from '../report/index.ts';
import { readZones } from './read-legacy-zones.ts';
import type { ZonesCommand, ZonesReading } from './read-legacy-zones.ts';

/** What was found in a zone, or why it could not be read. */
type ListedZone<Found extends { readonly scope: Scope }> =
  | (Found & { readonly kind: 'listed' })
  | FailedScope;

/** How to show the things found in a zone. */
interface ZoneListing<Found> {
  /** The command: `Rulewright firewall list`. */
  readonly title: string;
  /** The name of the things, in the plural. */
  readonly things: string;
  readonly isEmpty: (found: Found) => boolean;
  readonly section: (found: Found) => SectionBlock;
}

/** The number of empty zones that are named. */
const NAMED = 20;

/** Documents what was found zone by zone; of several zones, the empty ones are only named. */
function zoneListDocument<Found extends { readonly scope: Scope }>(
  zones: readonly ListedZone<Found>[],
  { title, things, isEmpty, section }: ZoneListing<Found>,
): Document {
  const listed = zones.filter((zone) => zone.kind === 'listed');
  const failed = zones.filter((zone) => zone.kind === 'failed');
  const empty = zones.length === 1 ? [] : listed.filter((zone) => isEmpty(zone));
  const names = empty.map(({ scope }) => scopeLabel(scope));
  const total = `${counted(zones.length, 'zone')}: ${listed.length - empty.length} with ${things}, ${empty.length} without`;
  return {
    title,
    body: [
      ...listed.filter((one) => !empty.includes(one)).map((zone) => section(zone)),
      ...failedCallouts(groupFailed(failed), 'could not be read'),
      ...(names.length === 0 ? [] : [paragraph(`No ${things}: ${someNames(names, NAMED)}`)]),
    ],
    summary:
      zones.length === 1
        ? []
        : [[span('strong', `${total}${failed.length === 0 ? '' : `, ${failed.length} not read`}.`)]],
  };
}

/** One kind of old objects of zones: how to read, describe and name them in JSON. */
export interface ZoneList<Found extends { readonly scope: Scope }>
  extends ZoneListing<Found>, Pick<ZonesReading<readonly ListedZone<Found>[]>, 'read'> {
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
      document: () => zoneListDocument(found, list),
      json: () => ({
        kind,
        formatVersion: 1,
        zones: found.map((zone) => (zone.kind === 'failed' ? zone : { kind: zone.kind, ...facts(zone) })),
      }),
    }),
    exit: (found) => ({ failed: found.some((zone) => zone.kind === 'failed'), different: false }),
  });
}
