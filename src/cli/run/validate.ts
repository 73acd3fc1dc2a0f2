import { validate } from '../../app/validate.ts';
import type { FileFindings, ProjectCounts } from '../../app/results.ts';
import type { AppliedFix, Diagnostic } from '../../model/diagnostic.ts';
import { counted } from '../../report/count.ts';
import { validationDocument } from '../../report/json-documents.ts';
import type { Look } from '../../report/theme.ts';
import type { ValidateFlags } from '../commands/validate.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { findingsRenderings } from '../renderings.ts';
import { prepareResultFiles, writeResult } from '../result.ts';
import type { Selection } from '../../app/selection.ts';
import { selectionOf } from '../service-choice.ts';
import { usage } from '../usage.ts';

/** Checks the files, with `--fix` after mending them. The findings are the result, and that all is well. */
export async function runValidate(
  context: CliContext,
  flags: ValidateFlags,
  ...paths: readonly string[]
): Promise<ExitCode> {
  await prepareResultFiles(context, flags);
  const selection = selectionOf(context, flags, paths);
  if (flags.expand === true) {
    return runExpand(context, flags, selection);
  }
  const fixed = flags.fix === true ? await fix(selection) : undefined;
  const result = await validate(selection);
  const { diagnostics } = result;
  await writeResult(context, flags, {
    text: async (look) =>
      (await findingsText(fixed ?? [], result, look)) +
      fixable(diagnostics) +
      (result.kind === 'valid' ? valid(result.counts) : ''),
    json: () => ({
      ...validationDocument({ valid: result.kind === 'valid', diagnostics }),
      ...(fixed === undefined ? {} : { fixed }),
    }),
    ...findingsRenderings(result, selection, context),
  });
  return result.kind === 'valid' ? EXIT.done : EXIT.failed;
}

/** Only who asks for it loads what edits files. */
async function fix(selection: Selection): Promise<readonly AppliedFix[]> {
  const { fixFiles } = await import('../../app/fix-files.ts');
  return fixFiles(selection);
}

/** Nothing where all is well; only who has findings waits for what lays them out. */
async function findingsText(
  fixed: readonly AppliedFix[],
  findings: FileFindings,
  look: Look,
): Promise<string> {
  if (fixed.length === 0 && findings.diagnostics.length === 0) {
    return '';
  }
  const { fixesText } = await import('../../report/fixes-text.ts');
  const { diagnosticsText } = await import('../../report/diagnostics-text.ts');
  return fixesText(fixed, look) + diagnosticsText(findings, look);
}

/** Prints the files as packs and variables make them; the findings go to stderr. */
async function runExpand(context: CliContext, flags: ValidateFlags, selection: Selection): Promise<ExitCode> {
  const { format, report, ...rest } = flags;
  if (format !== 'text' || report !== undefined || flags.fix === true) {
    throw usage('--expand prints YAML, and goes with none of --format, --report, --fix');
  }
  const { expand } = await import('../../app/expand.ts');
  const { reportFindings, reportInvalidFiles } = await import('./report-findings.ts');
  const result = await expand(selection);
  if (result.kind === 'invalid') {
    return reportInvalidFiles(context, flags, result);
  }
  reportFindings(context, flags, result);
  await writeResult(context, { ...rest, format }, { text: () => result.yaml });
  return EXIT.done;
}

function fixable(diagnostics: readonly Diagnostic[]): string {
  const count = diagnostics.filter((diagnostic) => diagnostic.fixable === true).length;
  return count === 0 ? '' : `Of these, rulewright validate --fix mends ${count}.\n`;
}

function valid({ files, scopes, rulesets, rules }: ProjectCounts): string {
  return `Valid: ${counted(rules, 'rule')} in ${counted(rulesets, 'ruleset')} of ${counted(scopes, 'scope')}, from ${counted(files, 'file')}.\n`;
}
