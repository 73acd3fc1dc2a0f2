import type { FlagsOf } from '../flag.ts';
import { switchFlag, valueFlagOr } from '../flag.ts';
import { BOUND_FLAGS, between } from '../flags.ts';
import { RUN_FLAGS } from '../run-flags.ts';

/** Flags of `drift`. */
export const DRIFT_FLAGS = {
  sweep: valueFlagOr(between(1, 365), '7', {
    placeholder: 'DAYS',
    brief: 'Read each scope in full every N days',
  }),
  unmanaged: switchFlag('Also show what no file declares'),
  ...BOUND_FLAGS,
  ...RUN_FLAGS,
};

/** The values of `DRIFT_FLAGS`. */
export type DriftFlags = FlagsOf<typeof DRIFT_FLAGS>;
