import type { Guards, ServiceOptions } from '../../app/index.ts';
import { readGuards } from '../../app/index.ts';
import type { CliContext } from '../context.ts';
import type { ProjectFlags, ServiceFlags, FormatFlags, PartFlags } from '../flags.ts';
import { selectionOf, serviceOptions } from '../service-choice.ts';
import type { EndedEarly } from './report-findings.ts';
import { reportInvalidFiles } from './report-findings.ts';

/** The guards and the service that a command goes by. */
export interface GuardedService {
  readonly kind: 'ready';
  readonly guards: Guards;
  readonly options: ServiceOptions;
}

/** Reads the guards and tokens of the project around the folder, and chooses the service. */
export async function startGuarded(
  context: CliContext,
  flags: FormatFlags & ProjectFlags & ServiceFlags & PartFlags,
): Promise<GuardedService | EndedEarly> {
  const selection = selectionOf(context, flags, []);
  const read = await readGuards(selection, context.today);
  return read.kind === 'invalid'
    ? { kind: 'ended', code: await reportInvalidFiles(context, flags, read) }
    : { kind: 'ready', guards: read.guards, options: await serviceOptions(context, flags, selection) };
}
