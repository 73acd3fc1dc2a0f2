import { checkWaf } from '../../../app/waf/check.ts';
import { wafNextAfterCheck } from '../../../app/waf/next.ts';
import type { ScopeRef } from '../../../model/scope.ts';
import { checksText } from '../../../report/text/waf.ts';
import type { ZoneListFlags } from '../../old-flags.ts';
import type { CliContext } from '../../context.ts';
import type { ExitCode } from '../../exit-code.ts';
import { readingExit } from '../../exit-code.ts';
import { startProgress } from '../../progress.ts';
import { writeResult } from '../../result.ts';
import { chosenZones } from './chosen-zones.ts';
import { startGuarded } from '../guarded.ts';

/** Looks whether zones can be migrated, and what is in the way. */
export async function runWafCheck(
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
  const checks = await startProgress(context, flags, (report) =>
    checkWaf({ ...wanted, scopes: guards.scopes }, options, report),
  );
  await writeResult(context, flags, {
    text: (look) => checksText(checks, wafNextAfterCheck, look),
    json: () => ({ kind: 'waf-check', formatVersion: 1, zones: checks }),
  });
  return readingExit({
    failed: checks.some(({ standing, notChecked }) => standing.kind === 'failed' || notChecked.length > 0),
    different: checks.some(({ blockers }) => blockers.length > 0),
  });
}
