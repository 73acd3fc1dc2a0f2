import type { Guards } from '../../app/project/project-guards.ts';
import { readGuards } from '../../app/project/project-guards.ts';
import type { ServiceOptions } from '../../app/service/service-options.ts';
import type { ZoneChoice } from '../../app/retire/zone-choice.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import type { ProjectFlags, ResultFlags, ServiceFlags } from '../flags.ts';
import { prepareResultFiles } from '../result.ts';
import { selectionOf, serviceOptions } from '../service-choice.ts';
import { reportInvalidFiles } from './report-findings.ts';

/** What a command about zones begins with, or how it has ended. */
type Begun<Choice> =
  | ({ readonly kind: 'begun'; readonly guards: Guards; readonly options: ServiceOptions } & Choice)
  | { readonly kind: 'ended'; readonly code: ExitCode };

type BeginFlags = ResultFlags & ServiceFlags & ProjectFlags;

/** Reads what the project around the folder says of zones: its guards, and which tokens they take. */
export async function beginZones(context: CliContext, flags: BeginFlags): Promise<Begun<unknown>> {
  await prepareResultFiles(context, flags);
  const selection = selectionOf(context, flags, []);
  const read = await readGuards(selection);
  if (read.kind === 'invalid') {
    return { kind: 'ended', code: await reportInvalidFiles(context, flags, read) };
  }
  const options = await serviceOptions(context, flags, selection);
  return { kind: 'begun', guards: read.guards, options };
}

/** As `beginZones`, for one zone. */
export async function beginZone(
  context: CliContext,
  flags: BeginFlags,
  zone: string,
): Promise<Begun<{ readonly choice: ZoneChoice }>> {
  const begun = await beginZones(context, flags);
  return begun.kind === 'ended' ? begun : { ...begun, choice: { zone, scopes: begun.guards.scopes } };
}
