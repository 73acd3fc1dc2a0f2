import { changesAnything } from '../../model/changes-anything.ts';
import { driftOf } from '../../app/drift.ts';
import { driftDocument } from '../../report/json-documents.ts';
import { driftText } from '../../report/plan-text.ts';
import { failedScopes } from '../../report/summary.ts';
import type { DriftFlags } from '../commands/drift.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { readingExit } from '../exit-code.ts';
import { driftRenderings } from '../renderings.ts';
import { writeResult } from '../result.ts';
import { selectionOf } from '../service-choice.ts';
import { planFiles } from './plan-files.ts';

/** Shows how live differs from the files: the plan, read the other way. */
export async function runDrift(
  context: CliContext,
  flags: DriftFlags,
  ...paths: readonly string[]
): Promise<ExitCode> {
  const planned = await planFiles(context, flags, paths);
  if (planned.kind === 'ended') {
    return planned.code;
  }
  const { plan } = planned;
  const drift = driftOf(plan);
  await writeResult(context, flags, {
    text: (look) => driftText(drift, look),
    json: () => driftDocument(drift),
    ...driftRenderings(drift, selectionOf(context, flags, paths), context),
  });
  return readingExit({ failed: failedScopes(plan) > 0, different: changesAnything(plan) });
}
