import { catalog, lockManaged, requireNamedProject, usage } from '../../app/index.ts';
import type { Selection } from '../../app/index.ts';
import { catalogDocument, catalogText, lockDocument, lockedText } from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { writeResult } from '../result.ts';
import { namedScope } from '../scope-flags.ts';
import { selectionOf, serviceOptions } from '../service-choice.ts';
import type { CatalogFlags } from '../flags/catalog.ts';
import { reportInvalidFiles } from './report-findings.ts';

/** Lists managed rulesets, and the rules that the arguments and flags ask for. */
export async function runCatalog(
  context: CliContext,
  flags: CatalogFlags,
  ruleset?: string,
): Promise<ExitCode> {
  const selection = selectionOf(context, flags, []);
  await requireNamedProject(selection);
  if (flags.lock === true) {
    return runLock(context, flags, { selection, narrowed: ruleset !== undefined });
  }
  const query = { scope: namedScope(flags), ruleset, tag: flags.tag, search: flags.search };
  const options = await serviceOptions(context, flags, selection);
  const found = await startProgress(context, flags, (report) =>
    catalog(selection, query, { options, report }),
  );
  await writeResult(context, flags, {
    text: (look) => catalogText(found, look),
    json: () => catalogDocument(found),
  });
  return EXIT.done;
}

/** Writes the lock file for all scopes of the files. */
async function runLock(
  context: CliContext,
  flags: CatalogFlags,
  { selection, narrowed }: { readonly selection: Selection; readonly narrowed: boolean },
): Promise<ExitCode> {
  if (narrowed || [flags.tag, flags.search, flags.zone, flags.account].some((flag) => flag !== undefined)) {
    throw usage(
      '--lock is about all files: it cannot be combined with RULESET, --tag, --search, --zone, --account',
    );
  }
  const options = await serviceOptions(context, flags, selection);
  const result = await startProgress(context, flags, (report) => lockManaged(selection, options, report));
  if (result.kind === 'invalid') {
    return reportInvalidFiles(context, flags, result);
  }
  await writeResult(context, flags, {
    text: (look) => lockedText(result, look),
    json: () => lockDocument(result),
  });
  return EXIT.done;
}
