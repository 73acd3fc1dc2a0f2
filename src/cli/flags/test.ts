import type { FlagsOf } from '../flag.ts';
import { PROJECT_FLAGS, RESULT_FLAGS } from '../flags.ts';
import { TEST_FORMATS, formatFlags } from '../formats.ts';

/** Flags of `test`. */
export const TEST_FLAGS = {
  ...PROJECT_FLAGS,
  ...RESULT_FLAGS,
  ...formatFlags(TEST_FORMATS),
};

/** The values of `TEST_FLAGS`. */
export type TestFlags = FlagsOf<typeof TEST_FLAGS>;
