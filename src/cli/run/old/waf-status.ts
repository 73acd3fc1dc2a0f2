import { wafNext, wafStandings } from '../../../app/index.ts';
import type { ScopeRef } from '../../../model/index.ts';
import { standingsText } from '../../../report/index.ts';
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
