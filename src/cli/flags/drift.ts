import type { FlagsOf } from '../flag.ts';
import { switchFlag, valueFlag } from '../flag.ts';
import { BOUND_FLAGS, between } from '../flags.ts';
import { RUN_FLAGS } from '../run-flags.ts';

/** Flags of `drift`. */
export const DRIFT_FLAGS = {
  sweep: valueFlag(between(1, 365), 'DAYS', 'Read each scope in full every N days (default: 7)'),
  unmanaged: switchFlag('Also show what no file declares'),
  ...BOUND_FLAGS,
  ...RUN_FLAGS,
};

/** The values of `DRIFT_FLAGS`. */
export type DriftFlags = FlagsOf<typeof DRIFT_FLAGS>;
