import type { FailedScope } from '../../model/plan.ts';
import type { Scope } from '../../model/scope.ts';
import { scopeLabel } from '../../model/scope.ts';
import { someNames } from '../../model/some-names.ts';
import { counted } from '../../model/count.ts';
import { groupFailed } from '../failed-scopes.ts';
import { layOut, line, span } from '../layout.ts';
import { failedLines } from '../lines/scope.ts';
import type { Pieces } from '../pieces.ts';
import type { Look } from '../theme.ts';

/** What was found in a zone, or why it could not be read. */
export type ListedZone<Found extends { readonly scope: Scope }> =
  | (Found & { readonly kind: 'listed' })
  | FailedScope;

/** How to show the things found in a zone. */
export interface ZoneTelling<Found> {
  /** The name of the things, in the plural. */
  readonly things: string;
  readonly isEmpty: (found: Found) => boolean;
  readonly text: (found: Found, look: Look) => string;
}

/** The number of empty zones that are named. */
const NAMED = 20;

/** Yields what was found zone by zone; of several zones, the empty ones are only named. */
export function* zoneListsText<Found extends { readonly scope: Scope }>(
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
      ...groupFailed(failed).flatMap((group) => failedLines(group, 'read')),
      ...(names.length === 0 ? [] : [line(0, `No ${things}: ${someNames(names, NAMED)}`)]),
      ...(zones.length === 1
        ? []
        : [line(0, span('strong', `${total}${failed.length === 0 ? '' : `, ${failed.length} not read`}.`))]),
    ],
    look,
  );
}
