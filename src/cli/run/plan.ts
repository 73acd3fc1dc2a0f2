import { writeOutput } from '../../app/write-output.ts';
import { jsonText } from '../../report/json-documents.ts';
import { planText } from '../../report/plan-text.ts';
import { changesAnything, failedScopes } from '../../report/summary.ts';
import type { PlanFlags } from '../commands/plan.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { readingExit } from '../exit-code.ts';
import { tell, writeResult } from '../result.ts';
import { planFiles } from './plan-files.ts';

/** Shows the plan, and saves it where `--out` says. */
export async function runPlan(
  context: CliContext,
  flags: PlanFlags,
  ...paths: readonly string[]
): Promise<ExitCode> {
  const planned = await planFiles(context, flags, paths);
  if (planned.kind === 'ended') {
    return planned.code;
  }
  const { plan } = planned;
  if (flags.out !== undefined) {
    await writeOutput(context.cwd, flags.out, jsonText(plan));
  }
  await writeResult(context, flags, { text: (look) => planText(plan, look), json: () => plan });
  if (flags.out !== undefined) {
    tell(context, flags, `saved the plan; to carry it out: rulewright apply ${flags.out}`);
  }
  const different = flags.exitCode === true && changesAnything(plan);
  return readingExit({ failed: failedScopes(plan) > 0, different });
}
