import { catalog } from '../../app/catalog.ts';
import { catalogDocument, catalogText } from '../../report/catalog-text.ts';
import type { CatalogFlags } from '../commands/catalog.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { writeResult } from '../result.ts';
import { namedScope } from '../scope-flags.ts';
import { selectionOf, serviceOptions } from '../service-choice.ts';

/** Shows managed rulesets, and rules of those that are asked for. */
export async function runCatalog(
  context: CliContext,
  flags: CatalogFlags,
  ruleset?: string,
): Promise<ExitCode> {
  const selection = selectionOf(context, flags, []);
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
