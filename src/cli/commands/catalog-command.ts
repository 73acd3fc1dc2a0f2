import { command } from '../command.ts';
import { nonEmpty, switchFlag, textFlag } from '../flag.ts';
import { catalog, lockManaged, requireNamedProject, usage } from '../../app/index.ts';
import type { Selection } from '../../app/index.ts';
import { catalogDocument, catalogJson, lockDocument, lockJson } from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { writeResult } from '../result.ts';
import { namedScope, SCOPE_FLAGS } from '../scope-flags.ts';
import { selectionOf, serviceOptions } from '../service-choice.ts';
import { reportInvalidFiles } from '../run/report-findings.ts';
import type { FlagsOf } from '../flag.ts';
import { LIVE_FLAGS } from '../flags.ts';

/** Flags of `catalog`. */
const CATALOG_FLAGS = {
  tag: textFlag('TAG', 'Only rules with this tag'),
  search: textFlag('TEXT', 'Only rules that contain this text'),
  lock: switchFlag('Write rulewright.lock: the managed rules that your overrides affect'),
  ...SCOPE_FLAGS,
  ...LIVE_FLAGS,
};

/** The values of `CATALOG_FLAGS`. */
type CatalogFlags = FlagsOf<typeof CATALOG_FLAGS>;

/** Lists managed rulesets, and the rules that the arguments and flags ask for. */
async function runCatalog(context: CliContext, flags: CatalogFlags, ruleset?: string): Promise<ExitCode> {
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
    document: () => catalogDocument(found),
    json: () => catalogJson(found),
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
    document: () => lockDocument(result),
    json: () => lockJson(result),
  });
  return EXIT.done;
}

/** `rulewright catalog`. */
export const catalogCommand = command({
  run: runCatalog,
  text: "Lists the vendor's rulesets with the names that files use for them. For one\nruleset, it shows the rules with the ids and tags that overrides refer to. With\n--lock, it records the managed rules that overrides in the files affect; plan\nand drift then tell which were added or removed since.",
  examples: [
    ['rulewright catalog', 'all managed rulesets'],
    ['rulewright catalog cloudflare-managed-ruleset', 'the rules of one'],
    ['rulewright catalog --tag wordpress', 'rules with a tag, in all rulesets'],
    ['rulewright catalog --search log4j --zone shop.example', 'rules that contain a text'],
    ['rulewright catalog --lock', 'record which rules overrides affect'],
  ],
  flags: CATALOG_FLAGS,
  positional: {
    kind: 'tuple',
    parameters: [
      {
        parse: nonEmpty,
        optional: true,
        placeholder: 'RULESET',
        brief: 'A managed ruleset by name or id; its rules are shown',
      },
    ],
  },
});
