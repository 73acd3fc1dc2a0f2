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

/** What a command about one zone begins with, or how it has ended. */
export type ZoneRun =
  | {
      readonly kind: 'begun';
      readonly choice: ZoneChoice;
      readonly guards: Guards;
      readonly options: ServiceOptions;
    }
  | { readonly kind: 'ended'; readonly code: ExitCode };

/** Reads what the project around the folder says of a zone: its guards, and which token it takes. */
export async function beginZone(
  context: CliContext,
  flags: ResultFlags & ServiceFlags & ProjectFlags,
  zone: string,
): Promise<ZoneRun> {
  await prepareResultFiles(context, flags);
  const selection = selectionOf(context, flags, []);
  const read = await readGuards(selection);
  if (read.kind === 'invalid') {
    return { kind: 'ended', code: await reportInvalidFiles(context, flags, read) };
  }
  const { guards } = read;
  const options = await serviceOptions(context, flags, selection);
  return { kind: 'begun', choice: { zone, scopes: guards.scopes }, guards, options };
}
