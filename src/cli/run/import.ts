import { join, resolve } from 'node:path';
import type { ImportRequest, ServiceOptions } from '../../app/index.ts';
import { importScopes, requireCredentials, usage } from '../../app/index.ts';
import { importDocument, importText } from '../../report/index.ts';
import { cacheFolder } from '../cache-choice.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { readingExit } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { tell, writeResult } from '../result.ts';
import { selectionOf, serviceOptions } from '../service-choice.ts';
import type { ImportFlags } from '../flags/import.ts';
import { commandText, placeWords } from './rerun-command.ts';
import { reportInvalidFiles } from './report-findings.ts';

/** Writes live state into files. */
export async function runImport(
  context: CliContext,
  flags: ImportFlags,
  ...more: readonly string[]
): Promise<ExitCode> {
  return importInto(context, flags, [...(flags.zone ?? []), ...more]);
}

/** Runs an import and writes its result; `around` creates the other files of a project before the next steps are printed. */
export async function importInto(
  context: CliContext,
  flags: ImportFlags,
  zones: readonly string[],
  around?: () => Promise<void>,
): Promise<ExitCode> {
  const { out } = flags;
  const { request, options } = await importRequest(context, flags, zones);
  const result = await startProgress(context, flags, (report) => importScopes(request, options, report));
  if (result.kind === 'invalid') {
    return reportInvalidFiles(context, flags, result);
  }
  if (result.kind === 'nothing-named') {
    throw usage('name what to import', 'name it: --zone NAME, --account NAME, or --all-zones');
  }
  const { summary } = result;
  await writeResult(context, flags, {
    text: (look) => importText(summary, look),
    json: () => importDocument(summary),
  });
  if (summary.written.length > 0) {
    await around?.();
    const place = out === undefined || out === '.' ? [] : [out];
    const next = commandText(['plan', ...place, ...placeWords(flags)]);
    tell(context, flags, `Next: review the files, then run ${next}`);
  }
  return readingExit({
    // A dry run has the exit code of the import itself.
    failed: summary.scopes.some((scope) => scope.kind === 'failed' || scope.refusal !== undefined),
    different:
      (summary.pending ?? []).length > 0 ||
      summary.scopes.some((scope) => scope.kind !== 'failed' && scope.kept.length > 0),
  });
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
  const folder = out === undefined ? cwd : resolve(cwd, out);
  // A path to the project file is relative to where the command runs, as everywhere.
  const config = flags.config === undefined ? undefined : resolve(cwd, flags.config);
  const selection = selectionOf({ ...context, cwd: folder }, { ...flags, config }, []);
  const cache =
    out === undefined ? await cacheFolder(context, {}, selection) : join(folder, '.rulewright', 'cache');
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
      unmanaged: flags.unmanaged === true,
      discard: flags.discard === true,
      dryRun: flags.dryRun === true,
      variables: selection.variables ?? new Map(),
    },
  };
}
