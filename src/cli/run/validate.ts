import { validate } from '../../app/validate.ts';
import type { ProjectCounts } from '../../app/results.ts';
import { counted } from '../../report/count.ts';
import { diagnosticsText } from '../../report/diagnostics-text.ts';
import { validationDocument } from '../../report/json-documents.ts';
import type { ValidateFlags } from '../commands/validate.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { writeResult } from '../result.ts';
import { selectionOf } from '../service-choice.ts';

/** Checks the files. The findings are the result, and that all is well. */
export async function runValidate(
  context: CliContext,
  flags: ValidateFlags,
  ...paths: readonly string[]
): Promise<ExitCode> {
  const result = await validate(selectionOf(context, flags, paths));
  await writeResult(context, flags, {
    text: (look) => diagnosticsText(result, look) + (result.kind === 'valid' ? valid(result.counts) : ''),
    json: () => validationDocument({ valid: result.kind === 'valid', diagnostics: result.diagnostics }),
  });
  return result.kind === 'valid' ? EXIT.done : EXIT.failed;
}

function valid({ files, scopes, rulesets, rules }: ProjectCounts): string {
  return `Valid: ${counted(rules, 'rule')} in ${counted(rulesets, 'ruleset')} of ${counted(scopes, 'scope')}, from ${counted(files, 'file')}.\n`;
}
