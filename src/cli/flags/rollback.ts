import type { FlagsOf } from '../flag.ts';
import { switchFlag, valueFlag } from '../flag.ts';
import { LIVE_FLAGS, between } from '../flags.ts';
import { PLAN_FORMATS, formatFlags } from '../formats.ts';
import { WRITE_FLAGS } from '../write-flags.ts';

/** Flags of `rollback`. */
export const ROLLBACK_FLAGS = {
  to: valueFlag(between(1, Number.MAX_SAFE_INTEGER), 'N', 'The version to go back to'),
  wholeRuleset: switchFlag('Also rules that are not yours'),
  ...WRITE_FLAGS,
  ...LIVE_FLAGS,
  ...formatFlags(PLAN_FORMATS),
};

/** The values of `ROLLBACK_FLAGS`. */
export type RollbackFlags = FlagsOf<typeof ROLLBACK_FLAGS>;
