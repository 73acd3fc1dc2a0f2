import type { FlagsOf } from '../flag.ts';
import { keptFlag, switchFlag } from '../flag.ts';
import { EACH_SCOPE, PROJECT_FLAGS, RESULT_FLAGS } from '../flags.ts';
import { PLAN_FORMATS, formatFlags } from '../formats.ts';

/** Flags of `merge`. */
export const MERGE_FLAGS = {
  // What is merged may be journals, for the next run to read.
  out: keptFlag('journal', 'FILE', 'Save the plan, or the journal, of the whole run'),
  partial: switchFlag('Allow missing and failed shards; exit code 1 if there are any'),
  exitCode: switchFlag('Exit code 2 if there are changes'),
  config: PROJECT_FLAGS.config,
  ...RESULT_FLAGS,
  ...formatFlags(PLAN_FORMATS),
  ...EACH_SCOPE,
};

/** The values of `MERGE_FLAGS`. */
export type MergeFlags = FlagsOf<typeof MERGE_FLAGS>;
