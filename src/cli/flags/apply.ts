import type { FlagsOf } from '../flag.ts';
import { inputFlag, switchFlag } from '../flag.ts';
import { GUARD_FLAGS } from '../flags.ts';
import { RUN_FLAGS } from '../run-flags.ts';
import { WRITE_FLAGS } from '../write-flags.ts';

/** Flags of `apply`. */
export const APPLY_FLAGS = {
  ...WRITE_FLAGS,
  expect: inputFlag('PLAN.json', 'Apply only what this reviewed plan shows, and allow it'),
  onlyStrengthening: switchFlag('Leave out what weakens or deletes'),
  ...GUARD_FLAGS,
  ...RUN_FLAGS,
};

/** The values of `APPLY_FLAGS`. */
export type ApplyFlags = FlagsOf<typeof APPLY_FLAGS>;
