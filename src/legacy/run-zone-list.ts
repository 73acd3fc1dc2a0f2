import type { Scope, FailedScope } from '../model/index.ts';
import type { ExitCode } from '../cli/index.ts';
import { scopeLabel } from '../model/index.ts';
import { someNames, counted } from '../text/index.ts';
import { groupFailed, layOut, line, span, failedLines } from '../report/index.ts';
import type { Pieces, Look } from '../report/index.ts';
import { readZones } from './read-zones.ts';
import type { ZonesCommand, ZonesReading } from './read-zones.ts';

/** What was found in a zone, or why it could not be read. */
type ListedZone<Found extends { readonly scope: Scope }> =
  | (Found & { readonly kind: 'listed' })
  | FailedScope;

/** How to show the things found in a zone. */
interface ZoneTelling<Found> {
  /** The name of the things, in the plural. */
  readonly things: string;
  readonly isEmpty: (found: Found) => boolean;
  readonly text: (found: Found, look: Look) => string;
}

/** The number of empty zones that are named. */
const NAMED = 20;

/** Yields what was found zone by zone; of several zones, the empty ones are only named. */
function* zoneListsText<Found extends { readonly scope: Scope }>(
  zones: readonly ListedZone<Found>[],
  { things, isEmpty, text }: ZoneTelling<Found>,
  look: Look,
): Pieces & Iterable<string> {
  const listed = zones.filter((zone) => zone.kind === 'listed');
  const failed = zones.filter((zone) => zone.kind === 'failed');
  const empty = zones.length === 1 ? [] : listed.filter((zone) => isEmpty(zone));
  for (const zone of listed.filter((one) => !empty.includes(one))) {
    yield zones.length === 1 ? text(zone, look) : `${text(zone, look).trimEnd()}\n\n`;
  }
  const names = empty.map(({ scope }) => scopeLabel(scope));
  const total = `${counted(zones.length, 'zone')}: ${listed.length - empty.length} with ${things}, ${empty.length} without`;
  yield layOut(
    [
      ...groupFailed(failed).flatMap((group) => failedLines(group)),
      ...(names.length === 0 ? [] : [line(0, `No ${things}: ${someNames(names, NAMED)}`)]),
      ...(zones.length === 1
        ? []
        : [line(0, span('strong', `${total}${failed.length === 0 ? '' : `, ${failed.length} not read`}.`))]),
    ],
    look,
  );
}

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
