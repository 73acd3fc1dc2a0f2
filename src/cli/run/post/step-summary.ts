import { resolve } from 'node:path';
import { summarise, usage } from '../../../app/index.ts';
import type { CliContext } from '../../context.ts';
import type { ExitCode } from '../../exit-code.ts';
import { EXIT } from '../../exit-code.ts';
import { writeResult } from '../../result.ts';
import { selectionOf } from '../../service-choice.ts';
import type { ForgeFlags } from '../../flags/forge.ts';

/** Appends a result to the summary of the step. */
export async function runStepSummary(
  context: CliContext,
  flags: ForgeFlags,
  file: string,
): Promise<ExitCode> {
  const done = await summarise({
    env: context.env,
    file: resolve(context.cwd, file),
    selection: selectionOf(context, flags, []),
    name: flags.name,
  });
  if (!done) {
    throw usage(
      'GITHUB_STEP_SUMMARY is not set',
      'GitHub Actions sets it; elsewhere, rulewright plan --format markdown (also apply, drift and validate) prints the same',
    );
  }
  await writeResult(context, flags, {
    text: () => 'The summary of the step shows it.\n',
    json: () => ({ kind: 'posted', formatVersion: 1, result: { kind: 'summary' } }),
  });
  return EXIT.done;
}
