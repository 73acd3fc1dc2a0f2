import { changesAnything } from '../../model/index.ts';
import { driftOf } from '../../app/index.ts';
import { isIncomplete } from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { readingExit } from '../exit-code.ts';
import type { ComparingWords } from '../progress.ts';
import { driftResult } from '../renderings.ts';
import { writeResult } from '../result.ts';
import { selectionOf } from '../service-choice.ts';
import type { DriftFlags } from '../flags/drift.ts';
import { planFiles } from './plan-files.ts';

const WORDS: ComparingWords = {
  work: 'drift',
  doing: 'comparing',
  done: 'compared',
  failed: 'could not compare',
};

/** Shows how live differs from the files: the plan, read the other way. */
export async function runDrift(
  context: CliContext,
  flags: DriftFlags,
  ...paths: readonly string[]
): Promise<ExitCode> {
  const planned = await planFiles(context, flags, {
    paths,
    purpose: { kind: 'drift', unmanaged: flags.unmanaged === true },
    words: WORDS,
    warnings: 'count',
  });
  if (planned.kind === 'ended') {
    return planned.code;
  }
  const { plan } = planned;
  await writeResult(context, flags, driftResult(driftOf(plan), selectionOf(context, flags, paths), context));
  return readingExit({ failed: isIncomplete(plan), different: changesAnything(plan) });
}
