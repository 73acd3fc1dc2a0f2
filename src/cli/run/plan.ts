import { plan } from '../../app/plan.ts';
import { writeOutput } from '../../app/write-output.ts';
import { jsonText } from '../../report/json-documents.ts';
import { planText } from '../../report/plan-text.ts';
import { changesAnything, failedScopes } from '../../report/summary.ts';
import type { PlanFlags } from '../commands/plan.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { readingExit } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { tell, writeResult } from '../result.ts';
import { selectionOf, serviceOptions } from '../service-choice.ts';
import { reportFindings, reportInvalidFiles } from './invalid-files.ts';

/** Shows the plan, and saves it where `--out` says. */
export async function runPlan(
  context: CliContext,
  flags: PlanFlags,
  ...paths: readonly string[]
): Promise<ExitCode> {
  const selection = selectionOf(context, flags, paths);
  const options = await serviceOptions(context, flags, selection);
  const result = await startProgress(context, flags, (report) => plan(selection, options, report));
  if (result.kind === 'invalid') {
    return reportInvalidFiles(context, flags, result);
  }
  reportFindings(context, flags, result);
  if (flags.out !== undefined) {
    await writeOutput(context.cwd, flags.out, jsonText(result.plan));
  }
  await writeResult(context, flags, {
    text: (look) => planText(result.plan, look),
    json: () => result.plan,
  });
  if (flags.out !== undefined) {
    tell(context, flags, `saved the plan; to carry it out: rulewright apply ${flags.out}`);
  }
  return readingExit({
    failed: failedScopes(result.plan) > 0,
    different: flags.exitCode === true && changesAnything(result.plan),
  });
}
