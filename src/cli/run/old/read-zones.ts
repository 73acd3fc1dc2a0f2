import type { ChosenZones, UseCase } from '../../../app/index.ts';
import type { ScopeRef } from '../../../model/index.ts';
import type { ZoneListFlags } from '../../old-flags.ts';
import type { CliContext } from '../../context.ts';
import type { ExitCode } from '../../exit-code.ts';
import { readingExit } from '../../exit-code.ts';
import { startProgress } from '../../progress.ts';
import type { Result } from '../../result.ts';
import { writeResult } from '../../result.ts';
import { startGuarded } from '../guarded.ts';
import { chosenZones } from './chosen-zones.ts';

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
