import {
  LIVE_FLAGS,
  allowText,
  ZONE_ARGUMENT,
  ZONE_ARGUMENTS,
  command,
  commandGroup,
  EXIT,
  startProgress,
  tellDocument,
  writeResult,
  startGuarded,
} from '../../cli/index.ts';
import {
  WAF_VALIDATE_FLAGS,
  WAF_FINISH_FLAGS,
  ZONE_FILE_RESULT,
  ZONE_LIST_FLAGS,
  RETIRE_FLAGS,
} from '../legacy-flags.ts';
import type { ScopeRef } from '../../model/index.ts';
import type { Block } from '../../report/index.ts';
import { inTurn } from '../../report/index.ts';
import type { ZoneListFlags, RetireFlags } from '../legacy-flags.ts';
import type { CliContext, ExitCode, LiveFlags } from '../../cli/index.ts';
import { yamlSection } from '../conversion-report.ts';
import { readZones } from '../read-legacy-zones.ts';
import { tellOutsideProject } from '../run-conversion.ts';
import { runRetirement } from '../run-retirement.ts';
import { runWafFinish, runWafValidate } from './run-waf-step.ts';
import { standingsDocument, checksDocument, configurationDocument } from './waf-report.ts';
import { wafNext, wafNextAfterCheck } from './waf-fit.ts';
import { wafStandings } from './waf-readings.ts';
import { checkWaf } from './waf-step.ts';
import { wafConfiguration } from './waf-config.ts';
import { planRemovedOverrides, snapshotIn } from './waf-overrides.ts';

/** Shows how far the migration of zones is. */
function runWafStatus(
  context: CliContext,
  flags: ZoneListFlags,
  ...zones: readonly ScopeRef[]
): Promise<ExitCode> {
  return readZones(
    { context, flags, zones },
    {
      read: wafStandings,
      show: (standings) => ({
        document: () => standingsDocument(standings, wafNext),
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
function runWafCheck(
  context: CliContext,
  flags: ZoneListFlags,
  ...zones: readonly ScopeRef[]
): Promise<ExitCode> {
  return readZones(
    { context, flags, zones },
    {
      read: checkWaf,
      show: (checks) => ({
        document: () => checksDocument(checks, wafNextAfterCheck),
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
async function runWafConfig(context: CliContext, flags: LiveFlags, zone: ScopeRef): Promise<ExitCode> {
  const run = await startGuarded(context, flags);
  if (run.kind === 'ended') {
    return run.code;
  }
  const { guards, options } = run;
  const { configuration, yaml } = await startProgress(context, flags, (report) =>
    wafConfiguration({ zone, guards }, options, report),
  );
  const told = configurationDocument(configuration);
  await writeResult(context, flags, {
    document: () => ({ ...told, body: inTurn<Block>(told.body, [yamlSection(yaml)]) }),
    text: () => yaml,
    json: () => ({ kind: 'waf-configuration', formatVersion: 1, ...configuration, yaml }),
  });
  if (flags.quiet !== true) {
    tellDocument(context, flags, told);
  }
  if (flags.output !== undefined && flags.format === 'text') {
    await tellOutsideProject(context, flags, flags.output);
  }
  return configuration.notChecked.length > 0 ? EXIT.failed : EXIT.done;
}

/** Deletes the URI-based overrides of the old WAF, which keep a zone from being migrated. */
function runWafRemoveOverrides(context: CliContext, flags: RetireFlags, zone: ScopeRef): Promise<ExitCode> {
  return runRetirement(
    { context, flags, zone },
    {
      again: (name) => ['waf', 'remove-overrides', name],
      plan: planRemovedOverrides,
      snapshot: snapshotIn,
    },
  );
}

/** Guards that cannot apply to a step on one zone and one phase. */
const NEVER = [
  'scopes',
  'settings',
  'foreign',
  'incomplete',
  'newly-blocked',
  'not-replayed',
  'not-ended',
] as const;

const status = command({
  run: runWafStatus,
  text: `Shows for each zone whether the old and the new managed rules are on, the state
of its migration, and the next command. Without a zone, it takes those of the
project.`,
  examples: [
    ['rulewright waf status', 'all zones of the project'],
    ['rulewright waf status shop.example', 'one zone'],
    ['rulewright waf status --all-zones', 'every zone that the token can read'],
  ],
  flags: ZONE_LIST_FLAGS,
  positional: ZONE_ARGUMENTS,
});

const check = command({
  run: runWafCheck,
  text: `Asks the service whether zones can be migrated, and names everything that is in
the way, with its remedy. Exit code 2 if something is in the way. Without a
zone, it takes those of the project.`,
  examples: [
    ['rulewright waf check', 'all zones of the project'],
    ['rulewright waf check --all-zones', 'every zone that the token can read'],
  ],
  flags: ZONE_LIST_FLAGS,
  positional: ZONE_ARGUMENTS,
});

const removeOverrides = command({
  run: runWafRemoveOverrides,
  text: `Deletes the URI-based overrides of the old WAF: a zone that still has any
cannot be migrated. Shows what it deletes, asks, saves a snapshot in
.rulewright/waf, and deletes them one at a time. This cannot be undone, so it
needs --allow irreversible.`,
  examples: [
    ['rulewright waf remove-overrides shop.example --dry-run --allow irreversible', 'show, delete nothing'],
    ['rulewright waf remove-overrides shop.example --allow irreversible', 'ask, then delete'],
  ],
  flags: RETIRE_FLAGS,
  positional: ZONE_ARGUMENT,
});

const config = command({
  run: runWafConfig,
  text: `Fetches the configuration that the service generates from the old WAF, and
writes it as a project file. Its comments say what is not carried over, what
changed, and what became a skip rule. A comparison of old and new settings goes
to stderr.`,
  examples: [
    ['rulewright waf config shop.example', 'read it'],
    ['rulewright waf config shop.example --output zones/shop-managed.yaml', 'keep it'],
  ],
  flags: { ...LIVE_FLAGS, ...ZONE_FILE_RESULT },
  positional: ZONE_ARGUMENT,
});

const validate = command({
  run: runWafValidate,
  text: `Sends the managed rules of the project's files as the first step of the
migration: both versions are then on, the new one first. Shows the plan and
asks. There is no way back to the old version alone.

${allowText(NEVER)}`,
  examples: [
    ['rulewright waf validate shop.example --dry-run', 'show, write nothing'],
    ['rulewright waf validate shop.example', 'ask, then send'],
  ],
  flags: WAF_VALIDATE_FLAGS,
  positional: ZONE_ARGUMENT,
});

const finish = command({
  run: runWafFinish,
  text: `Sends the managed rules of the project's files as the last step of the
migration: the previous WAF is switched off permanently. Shows the plan, asks
for the zone's name, saves a snapshot in .rulewright/waf, sends once, and waits
until it is complete. To wait again after an interruption, run the same command.

${allowText(NEVER)}`,
  examples: [
    ['rulewright waf finish shop.example --dry-run', 'show, write nothing'],
    ['rulewright waf finish shop.example', 'ask, send, wait'],
    ['rulewright waf finish shop.example --confirm shop.example', 'in a script'],
  ],
  flags: WAF_FINISH_FLAGS,
  positional: ZONE_ARGUMENT,
});

/** `rulewright waf check|remove-overrides|config|validate|finish|status`. */
export const wafCommands = commandGroup({
  text: `Migrates a zone from the previous WAF to the new managed rules, step by step.
The migration is irreversible. Each step checks the zone first, saves a snapshot,
and shows the state of the zone afterwards.`,
  examples: [
    ['rulewright waf check shop.example', 'what is in the way'],
    ['rulewright waf remove-overrides shop.example', 'delete what is in the way'],
    ['rulewright waf config shop.example', 'the generated rules, for review'],
    ['rulewright waf validate shop.example', 'both versions on (Enterprise)'],
    ['rulewright waf finish shop.example', 'the previous version off, permanently'],
    ['rulewright waf status', 'the state of all zones'],
  ],
  routes: {
    check: check('Check whether zones can be migrated'),
    removeOverrides: removeOverrides('Delete the URI-based overrides, which are in the way'),
    config: config('Write the generated configuration as YAML, for review'),
    validate: validate('Switch the new managed rules on beside the old (Enterprise)'),
    status: status('Show the state of zones'),
    finish: finish('Finish the migration: there is no way back'),
  },
});
