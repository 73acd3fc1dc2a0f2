import type { FlagsOf } from '../flag.ts';
import { switchFlag } from '../flag.ts';
import { PROJECT_FLAGS, RESULT_FLAGS } from '../flags.ts';
import { VALIDATION_FORMATS, formatFlags } from '../formats.ts';

/** Flags of `validate`. */
export const VALIDATE_FLAGS = {
  fix: switchFlag('Fix in the files what is safe to fix'),
  expand: switchFlag('Print the files with packs and variables filled in'),
  ...PROJECT_FLAGS,
  ...RESULT_FLAGS,
  verbose: switchFlag('Show each finding by itself, and stack traces'),
  ...formatFlags(VALIDATION_FORMATS),
};

/** The values of `VALIDATE_FLAGS`. */
export type ValidateFlags = FlagsOf<typeof VALIDATE_FLAGS>;
