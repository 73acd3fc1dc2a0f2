import type { Report } from '../../app/events.ts';
import type { ServiceOptions } from '../../app/service/service-options.ts';
import type { ZoneChoice } from '../../app/retire/zone-choice.ts';
import type { Look } from '../../report/theme.ts';
import type { OldListFlags } from '../commands/old-flags.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { writeResult } from '../result.ts';
import { beginZone } from './zone-run.ts';

/** The old things of a zone: how they are read and shown. */
export interface ZoneList<Found> {
  readonly read: (choice: ZoneChoice, options: ServiceOptions, report: Report) => Promise<Found>;
  readonly text: (found: Found, look: Look) => string;
  readonly document: (found: Found) => unknown;
}

/** Lists the old things of a zone. */
export async function runZoneList<Found>(
  {
    context,
    flags,
    zone,
  }: { readonly context: CliContext; readonly flags: OldListFlags; readonly zone: string },
  list: ZoneList<Found>,
): Promise<ExitCode> {
  const begun = await beginZone(context, flags, zone);
  if (begun.kind === 'ended') {
    return begun.code;
  }
  const { choice, options } = begun;
  const found = await startProgress(context, flags, (report) => list.read(choice, options, report));
  await writeResult(context, flags, {
    text: (look) => list.text(found, look),
    json: () => list.document(found),
  });
  return EXIT.done;
}
