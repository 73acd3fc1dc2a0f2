import type { Guards } from '../../app/project/project-guards.ts';
import { readGuards } from '../../app/project/project-guards.ts';
import { wafNext } from '../../app/waf/next.ts';
import { wafStandings } from '../../app/waf/standings.ts';
import type { ServiceOptions } from '../../app/service/service-options.ts';
import type { ScopeRef } from '../../model/scope.ts';
import { standingsText } from '../../report/text/waf.ts';
import type { WafFlags } from '../commands/waf.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { readingExit } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { writeResult } from '../result.ts';
import { selectionOf, serviceOptions } from '../service-choice.ts';
import { reportInvalidFiles } from './report-findings.ts';

/** What the commands of the migration work with, or how the command has ended. */
export type WafRun =
  | { readonly kind: 'ready'; readonly guards: Guards; readonly options: ServiceOptions }
  | { readonly kind: 'ended'; readonly code: ExitCode };

/** Reads whose guards and tokens hold, and chooses the service. */
export async function startWaf(context: CliContext, flags: WafFlags): Promise<WafRun> {
  const selection = selectionOf(context, flags, []);
  const read = await readGuards(selection);
  return read.kind === 'invalid'
    ? { kind: 'ended', code: await reportInvalidFiles(context, flags, read) }
    : { kind: 'ready', guards: read.guards, options: await serviceOptions(context, flags, selection) };
}

/** Shows how far zones are. */
export async function runWafStatus(
  context: CliContext,
  flags: WafFlags,
  ...zones: readonly ScopeRef[]
): Promise<ExitCode> {
  const run = await startWaf(context, flags);
  if (run.kind === 'ended') {
    return run.code;
  }
  const { guards, options } = run;
  const standings = await startProgress(context, flags, (report) =>
    wafStandings({ zones, scopes: guards.scopes }, options, report),
  );
  await writeResult(context, flags, {
    text: (look) => standingsText(standings, wafNext, look),
    json: () => ({
      kind: 'waf-status',
      formatVersion: 1,
      zones: standings.map((standing) => ({ ...standing, next: wafNext(standing) })),
    }),
  });
  return readingExit({ failed: standings.some(({ kind }) => kind === 'failed'), different: false });
}
