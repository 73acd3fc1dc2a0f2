import { checkWaf, wafNextAfterCheck } from '../../../app/index.ts';
import type { ScopeRef } from '../../../model/index.ts';
import { checksText } from '../../../report/index.ts';
import type { ZoneListFlags } from '../../old-flags.ts';
import type { CliContext } from '../../context.ts';
import type { ExitCode } from '../../exit-code.ts';
import { readZones } from './read-zones.ts';

/** Checks whether zones can be migrated, and shows what is in the way. */
export function runWafCheck(
  context: CliContext,
  flags: ZoneListFlags,
  ...zones: readonly ScopeRef[]
): Promise<ExitCode> {
  return readZones(
    { context, flags, zones },
    {
      read: checkWaf,
      show: (checks) => ({
        text: (look) => checksText(checks, wafNextAfterCheck, look),
        json: () => ({ kind: 'waf-check', formatVersion: 1, zones: checks }),
      }),
      exit: (checks) => ({
        failed: checks.some(
          ({ standing, notChecked }) => standing.kind === 'failed' || notChecked.length > 0,
        ),
        different: checks.some(({ blockers }) => blockers.length > 0),
      }),
    },
  );
}
