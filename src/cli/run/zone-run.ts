import type { ZoneChoice } from '../../app/retire/zone-choice.ts';
import type { CliContext } from '../context.ts';
import type { ProjectFlags, ResultFlags, ServiceFlags } from '../flags.ts';
import { prepareResultFiles } from '../result.ts';
import type { Guarded } from './guarded.ts';
import { startGuarded } from './guarded.ts';

type BeginFlags = ResultFlags & ServiceFlags & ProjectFlags;

/** Reads what the project around the folder says of zones: its guards, and which tokens they take. */
export async function beginZones(context: CliContext, flags: BeginFlags): Promise<Guarded> {
  await prepareResultFiles(context, flags);
  return startGuarded(context, flags);
}

/** As `beginZones`, for one zone. */
export async function beginZone(
  context: CliContext,
  flags: BeginFlags,
  zone: string,
): Promise<Guarded<{ readonly choice: ZoneChoice }>> {
  const begun = await beginZones(context, flags);
  return begun.kind === 'ended' ? begun : { ...begun, choice: { zone, scopes: begun.guards.scopes } };
}
