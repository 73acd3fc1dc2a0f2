import type { ChosenZones } from '../../../app/service/each-zone.ts';
import type { UseCase } from '../../../app/service/service-options.ts';
import type { Scope, ScopeRef } from '../../../model/scope.ts';
import type { ListedZone, ZoneTelling } from '../../../report/text/zone-lists.ts';
import { zoneListsText } from '../../../report/text/zone-lists.ts';
import type { ZoneListFlags } from '../../old-flags.ts';
import type { CliContext } from '../../context.ts';
import type { ExitCode } from '../../exit-code.ts';
import { readingExit } from '../../exit-code.ts';
import { startProgress } from '../../progress.ts';
import { writeResult } from '../../result.ts';
import { chosenZones } from './chosen-zones.ts';
import { startGuarded } from '../guarded.ts';

/** The old things of zones: how they are read, told, and named in JSON. */
export interface ZoneList<Found extends { readonly scope: Scope }> extends ZoneTelling<Found> {
  readonly read: UseCase<ChosenZones, readonly ListedZone<Found>[]>;
  readonly kind: string;
  readonly facts: (found: Found) => object;
}

/** Lists the old things of zones. */
export async function runZoneList<Found extends { readonly scope: Scope }>(
  {
    context,
    flags,
    zones,
  }: {
    readonly context: CliContext;
    readonly flags: ZoneListFlags;
    readonly zones: readonly ScopeRef[];
  },
  list: ZoneList<Found>,
): Promise<ExitCode> {
  const wanted = chosenZones(flags, zones);
  const begun = await startGuarded(context, flags);
  if (begun.kind === 'ended') {
    return begun.code;
  }
  const { guards, options } = begun;
  const chosen = { ...wanted, scopes: guards.scopes };
  const found = await startProgress(context, flags, (report) => list.read(chosen, options, report));
  await writeResult(context, flags, {
    text: (look) => zoneListsText(found, list, look),
    json: () => ({
      kind: list.kind,
      formatVersion: 1,
      zones: found.map((zone) => (zone.kind === 'failed' ? zone : { kind: zone.kind, ...list.facts(zone) })),
    }),
  });
  return readingExit({ failed: found.some(({ kind }) => kind === 'failed'), different: false });
}
