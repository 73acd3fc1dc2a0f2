import { wafNext } from '../../../app/waf/next.ts';
import { wafStandings } from '../../../app/waf/standings.ts';
import type { ScopeRef } from '../../../model/scope.ts';
import { standingsText } from '../../../report/text/waf.ts';
import type { ZoneListFlags } from '../../old-flags.ts';
import type { CliContext } from '../../context.ts';
import type { ExitCode } from '../../exit-code.ts';
import { readingExit } from '../../exit-code.ts';
import { startProgress } from '../../progress.ts';
import { writeResult } from '../../result.ts';
import { chosenZones } from './chosen-zones.ts';
import { startGuarded } from '../guarded.ts';

/** Shows how far zones are. */
export async function runWafStatus(
  context: CliContext,
  flags: ZoneListFlags,
  ...zones: readonly ScopeRef[]
): Promise<ExitCode> {
  const wanted = chosenZones(flags, zones);
  const run = await startGuarded(context, flags);
  if (run.kind === 'ended') {
    return run.code;
  }
  const { guards, options } = run;
  const standings = await startProgress(context, flags, (report) =>
    wafStandings({ ...wanted, scopes: guards.scopes }, options, report),
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
