import type { ChosenZones, UseCase } from '../app/index.ts';
import { usage } from '../app/index.ts';
import type { ScopeRef } from '../model/index.ts';
import type { FlagsOf, CliContext, ExitCode, Result } from '../cli/index.ts';
import { readingExit, startProgress, writeResult, startGuarded } from '../cli/index.ts';
import type { ALL_ZONES_FLAG, ZoneListFlags } from './legacy-flags.ts';

/** Returns the zones that are named, or all; throws when a command line asks for both. */
function chosenZones(
  { allZones = false }: FlagsOf<typeof ALL_ZONES_FLAG>,
  zones: readonly ScopeRef[],
): Pick<ChosenZones, 'zones' | 'allZones'> {
  if (allZones && zones.length > 0) {
    throw usage('--all-zones means every zone: do not name zones as well');
  }
  return { zones, allZones };
}

/** A command line that reads the old objects of many zones. */
export interface ZonesCommand {
  readonly context: CliContext;
  readonly flags: ZoneListFlags;
  readonly zones: readonly ScopeRef[];
}

/** How to read zones, what to show of them, and how the command ends. */
export interface ZonesReading<Found> {
  readonly read: UseCase<ChosenZones, Found>;
  readonly show: (found: Found) => Result;
  readonly exit: (found: Found) => Parameters<typeof readingExit>[0];
}

/** Reads the chosen zones, by default those of the project, and shows what was found. */
export async function readZones<Found>(
  { context, flags, zones }: ZonesCommand,
  { read, show, exit }: ZonesReading<Found>,
): Promise<ExitCode> {
  const wanted = chosenZones(flags, zones);
  const begun = await startGuarded(context, flags);
  if (begun.kind === 'ended') {
    return begun.code;
  }
  const { guards, options } = begun;
  const found = await startProgress(context, flags, (report) =>
    read({ ...wanted, scopes: guards.scopes }, options, report),
  );
  await writeResult(context, flags, show(found));
  return readingExit(exit(found));
}
