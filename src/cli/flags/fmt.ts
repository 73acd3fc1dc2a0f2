import type { FlagsOf } from '../flag.ts';
import { switchFlag } from '../flag.ts';
import { PROJECT_FLAGS, RESULT_FLAGS } from '../flags.ts';

/** Flags of `fmt`. */
export const FMT_FLAGS = {
  check: switchFlag('Write nothing; exit code 2 if a file would change'),
  diff: switchFlag('As --check, and show what would change'),
  stdin: switchFlag('Format stdin to stdout, for editors'),
  config: PROJECT_FLAGS.config,
  ...RESULT_FLAGS,
};

/** The values of `FMT_FLAGS`. */
export type FmtFlags = FlagsOf<typeof FMT_FLAGS>;
