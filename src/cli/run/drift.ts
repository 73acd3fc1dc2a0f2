import { plan } from '../../app/plan.ts';
import { driftDocument } from '../../report/json-documents.ts';
import { driftText } from '../../report/plan-text.ts';
import { changesAnything, failedScopes } from '../../report/summary.ts';
import type { DriftFlags } from '../commands/drift.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { readingExit } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { writeResult } from '../result.ts';
import { selectionOf, serviceOptions } from '../service-choice.ts';
import { reportFindings, reportInvalidFiles } from './invalid-files.ts';

/** Shows how live differs from the files: the plan, read the other way. */
export async function runDrift(
  context: CliContext,
  flags: DriftFlags,
  ...paths: readonly string[]
): Promise<ExitCode> {
  const selection = selectionOf(context, flags, paths);
  const options = await serviceOptions(context, flags, selection);
  const result = await startProgress(context, flags, (report) => plan(selection, options, report));
  if (result.kind === 'invalid') {
    return reportInvalidFiles(context, flags, result);
  }
  reportFindings(context, flags, result);
  await writeResult(context, flags, {
    text: (look) => driftText(result.plan, look),
    json: () => driftDocument(result.plan),
  });
  return readingExit({
    failed: failedScopes(result.plan) > 0,
    different: changesAnything(result.plan),
  });
}
