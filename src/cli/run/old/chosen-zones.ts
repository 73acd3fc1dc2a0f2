import type { ChosenZones } from '../../../app/index.ts';
import { usage } from '../../../app/index.ts';
import type { ScopeRef } from '../../../model/index.ts';
import type { FlagsOf } from '../../flag.ts';
import type { ALL_ZONES_FLAG } from '../../old-flags.ts';

/** Returns the zones that are named, or all; throws when a command line asks for both. */
export function chosenZones(
  { allZones = false }: FlagsOf<typeof ALL_ZONES_FLAG>,
  zones: readonly ScopeRef[],
): Pick<ChosenZones, 'zones' | 'allZones'> {
  if (allZones && zones.length > 0) {
    throw usage('--all-zones means every zone: do not name zones as well');
  }
  return { zones, allZones };
}
