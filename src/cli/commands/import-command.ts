import { dirname, join, relative, resolve } from 'node:path';
import { command } from '../command.ts';
import { inputFlag, nonEmpty, listFlag, switchFlag, textFlag, valueFlag } from '../flag.ts';
import type { ImportRequest, ServiceOptions } from '../../app/index.ts';
import { importScopes, requireCredentials, usage } from '../../app/index.ts';
import { importDocument, importJson } from '../../report/index.ts';
import { cacheFolder } from '../cache-choice.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { readingExit } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { tell, writeResult } from '../result.ts';
import { selectionOf, serviceOptions } from '../service-choice.ts';
import { commandText, placeWords } from '../run/rerun-command.ts';
import { reportInvalidFiles } from '../run/report-findings.ts';
import type { FlagsOf } from '../flag.ts';
import { LIVE_FLAGS } from '../flags.ts';
import { tellOther } from '../run/apply/expect-drift.ts';
import { driftDigest } from '../run/apply-run.ts';

/** Flags that select what to import, and where to. */
export const LIVE_CHOICE_FLAGS = {
  zone: listFlag(nonEmpty, 'NAME', 'A zone, by name or id (repeatable)'),
  account: listFlag(nonEmpty, 'NAME', 'An account, by name or id (repeatable)'),
  allZones: switchFlag('All zones, of the named accounts or of all'),
  nameRules: switchFlag('Propose refs for rules that have none'),
  out: textFlag('DIR', 'Project folder (default: the nearest, or this one)'),
};

/** Flags of `import`. */
const IMPORT_FLAGS = {
  ...LIVE_CHOICE_FLAGS,
  fromTerraform: inputFlag('FILE', 'A state of Terraform or OpenTofu says what to import'),
  fromOctorules: inputFlag('FILE', 'The configuration of octorules says what to import'),
  hcl: textFlag(
    'DIR',
    'With --from-terraform: take comments and names from the configuration in this folder',
  ),
  noFold: switchFlag('With --from-…: write each zone for itself: no shared files, no packs'),
  settings: switchFlag('Also read settings, and declare those of new zones that are not at their defaults'),
  unmanaged: switchFlag('Also declare what no file declares'),
  expectDrift: valueFlag(driftDigest, 'DIGEST', 'Import only if this is the drift that was shown'),
  discard: switchFlag('Lose changes to the files that Git does not have'),
  dryRun: switchFlag(
    'Show what would change; write nothing, exit code 2 if something would, 1 if the import would refuse',
  ),
  ...LIVE_FLAGS,
};

/** The values of `IMPORT_FLAGS`. */
type ImportFlags = FlagsOf<typeof IMPORT_FLAGS>;

/** Writes live state into files. */
async function runImport(
  context: CliContext,
  flags: ImportFlags,
  ...more: readonly string[]
): Promise<ExitCode> {
  checkSourceFlags(flags);
  const zones = [...(flags.zone ?? []), ...more];
  if (flags.expectDrift !== undefined) {
    requireWholeProject(flags, zones);
  }
  return importInto(context, flags, zones);
}

/** Throws where an import is not of all that the project declares, which a drift is about. */
function requireWholeProject(flags: ImportFlags, zones: readonly string[]): void {
  const { account = [], allZones, fromTerraform, fromOctorules } = flags;
  const isNarrowed = zones.length > 0 || account.length > 0 || allZones === true;
  if (isNarrowed || fromTerraform !== undefined || fromOctorules !== undefined) {
    throw usage(
      '--expect-drift is about all that the project declares',
      'leave out what names zones, accounts or another source',
    );
  }
}

/** Returns where a command that works in the folder of a project would run. */
function inProject(context: CliContext, { out }: Pick<ImportFlags, 'out'>): CliContext {
  return out === undefined ? context : { ...context, cwd: resolve(context.cwd, out) };
}

function checkSourceFlags(flags: ImportFlags): void {
  const { fromTerraform, fromOctorules, hcl, noFold, allZones, unmanaged, settings } = flags;
  const [from, second] = [
    ...(fromTerraform === undefined ? [] : ['--from-terraform']),
    ...(fromOctorules === undefined ? [] : ['--from-octorules']),
  ];
  if (from !== undefined && second !== undefined) {
    throw usage(
      `${from} and ${second} do not go together`,
      'import from one at a time: the second adds to what the first has written',
    );
  }
  const wrong = [
    ...(allZones === true ? ['--all-zones'] : []),
    ...(unmanaged === true ? ['--unmanaged'] : []),
    ...(settings === true ? ['--settings'] : []),
  ];
  if (from !== undefined && wrong.length > 0) {
    throw usage(
      `${from} and ${wrong.join(' and ')} do not go together`,
      `the ${fromTerraform === undefined ? 'configuration' : 'state'} says what is imported; import the rest afterwards, without ${from}`,
    );
  }
  if (fromTerraform === undefined && hcl !== undefined) {
    throw usage(
      '--hcl is for --from-terraform',
      'a configuration does not say what there is: name a state too',
    );
  }
  if (from === undefined && noFold === true) {
    throw usage(
      '--no-fold is for --from-terraform and --from-octorules',
      'leave it out: an import from live folds no zones',
    );
  }
}

/** Returns where resources come from by the flags; undefined where that is live. */
function sourceOf({ fromTerraform, fromOctorules, hcl, noFold }: ImportFlags): ImportRequest['source'] {
  const fold = noFold !== true;
  return fromTerraform === undefined
    ? fromOctorules === undefined
      ? undefined
      : { kind: 'octorules', file: fromOctorules, fold }
    : { kind: 'terraform', file: fromTerraform, fold, configuration: hcl };
}

/** Runs an import and writes its result; `around` creates the other files of a project before the next steps are printed. */
export async function importInto(
  context: CliContext,
  flags: ImportFlags,
  zones: readonly string[],
  around?: () => Promise<void>,
): Promise<ExitCode> {
  const { request, options } = await importRequest(context, flags, zones);
  const result = await startProgress(context, flags, (report) => importScopes(request, options, report));
  if (result.kind === 'invalid') {
    return reportInvalidFiles(context, flags, result);
  }
  if (result.kind === 'other-drift') {
    return tellOther(context, result.plan);
  }
  if (result.kind === 'nothing-named') {
    throw usage('name what to import', 'name it: --zone NAME, --account NAME, or --all-zones');
  }
  const { summary } = result;
  const commands = commandsAfter(context, flags, result.projectFile);
  await writeResult(context, flags, {
    document: (detail) => importDocument(summary, { detail, commands }),
    json: () => importJson(summary),
  });
  if (summary.written.length > 0) {
    await around?.();
    tell(context, flags, `Next: review the files, then run ${commands.plan}`);
  }
  return readingExit({
    // A dry run has the exit code of the import itself.
    failed: summary.scopes.some((scope) => scope.kind === 'failed' || scope.refusal !== undefined),
    different:
      (summary.pending ?? []).length > 0 ||
      summary.scopes.some((scope) => scope.kind !== 'failed' && scope.kept.length > 0) ||
      [summary.terraform, summary.octorules].some(
        (from) => from !== undefined && from.differences.length + from.left.length > 0,
      ),
  });
}

/** Returns the commands that go on after an import, from the folder in which it ran. */
function commandsAfter(
  { cwd }: CliContext,
  flags: ImportFlags,
  projectFile: string,
): Parameters<typeof importDocument>[1]['commands'] {
  const { out } = flags;
  const isElsewhere = out !== undefined && out !== '.';
  const folder = relative(cwd, dirname(projectFile));
  const config = folder === '' ? flags.config : relative(cwd, projectFile);
  return {
    again: commandText(['import', ...(isElsewhere ? ['--out', out] : []), ...placeWords(flags)]),
    plan: commandText(['plan', ...(isElsewhere ? [out] : []), ...placeWords(flags)]),
    convert: (command, zone, file) =>
      commandText([
        ...command.split(' ').slice(1),
        zone,
        ...placeWords({ ...flags, config }),
        '--out',
        join(folder, file),
      ]),
  };
}

/** Throws if an import by these flags would have no credentials, for use before somebody is asked for more. */
export async function requireImportCredentials(context: CliContext, flags: ImportFlags): Promise<void> {
  requireCredentials((await importRequest(context, flags, [])).options);
}

/** Returns the import that the flags ask for, and the service of the project that they name. */
async function importRequest(
  context: CliContext,
  flags: ImportFlags,
  zones: readonly string[],
): Promise<{ readonly request: ImportRequest; readonly options: ServiceOptions }> {
  const { cwd } = context;
  const { out } = flags;
  // A path to the project file is relative to where the command runs, as everywhere.
  const config = flags.config === undefined ? undefined : resolve(cwd, flags.config);
  const project = inProject(context, flags);
  const selection = selectionOf(project, { ...flags, config }, []);
  const cache =
    out === undefined ? await cacheFolder(context, {}, selection) : join(project.cwd, '.rulewright', 'cache');
  return {
    options: {
      ...(await serviceOptions(context, flags, selection)),
      // The first plan follows at once: with hundreds of zones, the request limit does not allow it to read everything again.
      cache: { folder: cache, sweepDays: null },
    },
    request: {
      cwd,
      config,
      out,
      zones,
      accounts: flags.account ?? [],
      allZones: flags.allZones === true,
      nameRules: flags.nameRules === true,
      withSettings: flags.settings === true,
      unmanaged: flags.unmanaged === true,
      discard: flags.discard === true,
      dryRun: flags.dryRun === true,
      source: sourceOf(flags),
      shown:
        flags.expectDrift === undefined
          ? undefined
          : {
              digest: flags.expectDrift,
              selection: { ...selection, purpose: { kind: 'drift', unmanaged: flags.unmanaged === true } },
            },
      variables: selection.variables ?? new Map(),
    },
  };
}

/** `rulewright import`. */
export const importCommand = command({
  run: runImport,
  text: `Writes live state as YAML: a project file, and one file for each zone and
account. In an existing project, it updates what changed and keeps the rest,
including comments; without a name, it takes the zones and accounts that the
project declares. For a zone that the files already declare, it follows what
they declare; --unmanaged adds the rest. A plan afterwards is empty. Nothing is
written to the service.
With --from-terraform, it writes what terraform state pull or terraform show
-json has (OpenTofu's too), tells what live says otherwise, and how Terraform
forgets what is in the files now without destroying it; --hcl adds the comments
and names of the configuration. Zones that are alike share a file, and the rules
that one block has in others are a pack, unless --no-fold is given. With
--from-octorules, it writes what the files of octorules say, with their
comments.`,
  examples: [
    ['rulewright import --zone shop.example', 'one zone'],
    ['rulewright import --account "Example Shop"', 'an account, without its zones'],
    ['rulewright import', 'what the project declares'],
    ['rulewright import --dry-run', 'show what it would change'],
    ['rulewright import --unmanaged', 'the same, and what no file declares yet'],
    ['rulewright import --expect-drift DIGEST', 'take what drift showed into the files'],
    ['rulewright import --all-zones --out rules', 'every zone that the token can read'],
    ['rulewright import --all-zones --account Shop', 'an account and its zones'],
    ['rulewright import --zone shop.example --name-rules', 'with readable refs'],
    ['rulewright import --from-terraform state.json', 'what a state of Terraform has'],
    ['rulewright import --from-terraform state.json --hcl .', 'with the comments of its configuration'],
    ['rulewright import --from-octorules config.yaml', 'what the files of octorules have'],
  ],
  flags: IMPORT_FLAGS,
  positional: {
    kind: 'array',
    parameter: { parse: zoneName, placeholder: 'ZONE', brief: 'Zones, as with --zone' },
  },
});

/** Parses the name or id of a zone; explains what is taken for Terraform's `import ADDRESS ID`, or for its files. */
function zoneName(text: string): string {
  if (/\.tf(\.json|state)?$|^cloudflare_\w+\./u.test(text)) {
    throw new Error(
      'it names no zone: rulewright import --zone NAME reads what is live, --from-terraform FILE what a state has, and docs/terraform.md leads from Terraform to an empty plan',
    );
  }
  return nonEmpty(text);
}
