import type { ScopeRef } from '../../model/index.ts';
import type { ZoneListFlags, RetireFlags } from '../legacy-flags.ts';
import type { CliContext, ExitCode, LiveFlags } from '../../cli/index.ts';
import { readZones } from '../read-zones.ts';
import { EXIT, startProgress, stderrLook, writeResult, startGuarded } from '../../cli/index.ts';
import { tellOutsideProject } from '../run-conversion.ts';
import { runRetirement } from '../run-retirement.ts';
import { standingsText, checksText, configurationText } from './waf-report.ts';
import { wafNext, wafNextAfterCheck } from './waf-fit.ts';
import { wafStandings } from './waf-readings.ts';
import { checkWaf } from './waf-step.ts';
import { wafConfiguration } from './waf-config.ts';
import { planRemovedOverrides, snapshotIn } from './waf-overrides.ts';

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

/** Prints the generated configuration as YAML; old and new settings side by side go to stderr. */
export async function runWafConfig(context: CliContext, flags: LiveFlags, zone: ScopeRef): Promise<ExitCode> {
  const run = await startGuarded(context, flags);
  if (run.kind === 'ended') {
    return run.code;
  }
  const { guards, options } = run;
  const { configuration, yaml } = await startProgress(context, flags, (report) =>
    wafConfiguration({ zone, guards }, options, report),
  );
  await writeResult(context, flags, {
    text: () => yaml,
    json: () => ({ kind: 'waf-configuration', formatVersion: 1, ...configuration, yaml }),
  });
  if (flags.quiet !== true) {
    context.stderr.write(configurationText(configuration, stderrLook(context, flags)));
  }
  if (flags.output !== undefined && flags.format === 'text') {
    await tellOutsideProject(context, flags, flags.output);
  }
  return configuration.notChecked.length > 0 ? EXIT.failed : EXIT.done;
}

/** Deletes the URI-based overrides of the old WAF, which keep a zone from being migrated. */
export function runWafRemoveOverrides(
  context: CliContext,
  flags: RetireFlags,
  zone: ScopeRef,
): Promise<ExitCode> {
  return runRetirement(
    { context, flags, zone },
    {
      again: (name) => ['waf', 'remove-overrides', name],
      plan: planRemovedOverrides,
      snapshot: snapshotIn,
    },
  );
}
