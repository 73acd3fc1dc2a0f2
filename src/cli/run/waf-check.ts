import { checkWaf } from '../../app/waf/check.ts';
import { wafNextAfterCheck } from '../../app/waf/next.ts';
import { planRemovedOverrides, snapshotIn } from '../../app/waf/overrides.ts';
import type { ScopeRef } from '../../model/scope.ts';
import { checksText } from '../../report/text/waf.ts';
import type { WafCheckFlags } from '../commands/waf.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { readingExit } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { writeResult } from '../result.ts';
import { usage } from '../../app/usage.ts';
import { chosenZones } from './chosen-zones.ts';
import { runRetirement } from './retire.ts';
import { startGuarded } from './guarded.ts';

/** Looks whether zones can be migrated; with `--remove-overrides` mends one of them. */
export async function runWafCheck(
  context: CliContext,
  flags: WafCheckFlags,
  ...zones: readonly ScopeRef[]
): Promise<ExitCode> {
  const [zone, ...others] = zones;
  if (flags.removeOverrides === true && (zone === undefined || others.length > 0)) {
    throw usage('--remove-overrides works on one zone', 'name it, one at a time');
  }
  if (flags.removeOverrides !== true && changes(flags)) {
    throw usage(
      '--yes, --dry-run, --allow and --journal are for deletions, and waf check only reads',
      'leave them out, or add --remove-overrides',
    );
  }
  const wanted = chosenZones(flags, zones);
  const run = await startGuarded(context, flags);
  if (run.kind === 'ended') {
    return run.code;
  }
  const { guards, options } = run;
  const checks = await startProgress(context, flags, (report) =>
    checkWaf({ ...wanted, scopes: guards.scopes }, options, report),
  );
  const [first] = checks;
  if (flags.removeOverrides === true && zone !== undefined && (first?.overrides.length ?? 0) > 0) {
    return runRetirement(
      { context, flags, zone },
      {
        again: (name) => ['waf', 'check', name, '--remove-overrides'],
        plan: planRemovedOverrides,
        snapshot: snapshotIn,
      },
    );
  }
  await writeResult(context, flags, {
    text: (look) => checksText(checks, wafNextAfterCheck, look),
    json: () => ({ kind: 'waf-check', formatVersion: 1, zones: checks }),
  });
  return readingExit({
    failed: checks.some(({ standing, notChecked }) => standing.kind === 'failed' || notChecked.length > 0),
    different: checks.some(({ blockers }) => blockers.length > 0),
  });
}

function changes({ yes, dryRun, allow, journal }: WafCheckFlags): boolean {
  return yes === true || dryRun === true || allow !== undefined || journal !== undefined;
}
