import { PATHS } from '../arguments.ts';
import { command } from '../command.ts';
import { changesAnything } from '../../model/index.ts';
import { driftOf, endingRules } from '../../app/index.ts';
import { isIncomplete } from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { readingExit } from '../exit-code.ts';
import type { ComparingWords } from '../progress.ts';
import { driftResult } from '../renderings.ts';
import { writeResult } from '../result.ts';
import { selectionOf } from '../service-choice.ts';
import { planFiles } from '../run/plan-files.ts';
import type { FlagsOf } from '../flag.ts';
import { switchFlag, valueFlagOr } from '../flag.ts';
import { BOUND_FLAGS, between, RUN_FLAGS } from '../flags.ts';

/** Flags of `drift`. */
const DRIFT_FLAGS = {
  sweep: valueFlagOr(between(1, 365), '7', {
    placeholder: 'DAYS',
    brief: 'Read each scope in full every N days',
  }),
  unmanaged: switchFlag('Also show what no file declares'),
  ...BOUND_FLAGS,
  ...RUN_FLAGS,
};

/** The values of `DRIFT_FLAGS`. */
type DriftFlags = FlagsOf<typeof DRIFT_FLAGS>;

const WORDS: ComparingWords = {
  work: 'drift',
  doing: 'comparing',
  done: 'compared',
  failed: 'could not compare',
};

/** Shows how live differs from the files: the plan, read the other way. */
async function runDrift(
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
  const { plan, diagnostics } = planned;
  const drift = driftOf(plan, endingRules(diagnostics));
  await writeResult(context, flags, driftResult(drift, selectionOf(context, flags, paths), context));
  return readingExit({ failed: isIncomplete(plan), different: changesAnything(plan) });
}

/** `rulewright drift`. */
export const driftCommand = command({
  run: runDrift,
  observed: 'drift',
  text: `Shows where live differs from the files. Never writes to the service. Exit code
2 if there is drift, 1 if a scope could not be read.`,
  examples: [
    ['rulewright drift', 'the whole project'],
    ['rulewright drift --unmanaged', 'also what no file declares, and rules of others'],
    ['rulewright drift --shard 1/8', 'an eighth of the scopes'],
    ['rulewright drift --target zone:shop.example', 'one zone'],
    ['rulewright drift --max-requests 600', 'the scopes that have gone unread longest'],
    ['rulewright drift --format json --output drift.json', 'as JSON'],
  ],
  flags: DRIFT_FLAGS,
  positional: PATHS,
});
