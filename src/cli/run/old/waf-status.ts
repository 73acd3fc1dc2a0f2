import { wafNext } from '../../../app/waf/next.ts';
import { wafStandings } from '../../../app/waf/standings.ts';
import type { ScopeRef } from '../../../model/scope.ts';
import { standingsText } from '../../../report/text/waf.ts';
import type { ZoneListFlags } from '../../old-flags.ts';
import type { CliContext } from '../../context.ts';
import type { ExitCode } from '../../exit-code.ts';
import { readZones } from './read-zones.ts';

/** Shows how far the migration of zones is. */
export function runWafStatus(
  context: CliContext,
  flags: ZoneListFlags,
  ...zones: readonly ScopeRef[]
): Promise<ExitCode> {
  return readZones(
    { context, flags, zones },
    {
      read: wafStandings,
      show: (standings) => ({
        text: (look) => standingsText(standings, wafNext, look),
        json: () => ({
          kind: 'waf-status',
          formatVersion: 1,
          zones: standings.map((standing) => ({ ...standing, next: wafNext(standing) })),
        }),
      }),
      exit: (standings) => ({ failed: standings.some(({ kind }) => kind === 'failed'), different: false }),
    },
  );
}
