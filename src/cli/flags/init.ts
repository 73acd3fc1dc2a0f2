import type { FlagsOf } from '../flag.ts';
import { choiceFlag } from '../flag.ts';
import { RESULT_FLAGS, SERVICE_FLAGS } from '../flags.ts';
import { LIVE_CHOICE_FLAGS } from './import.ts';

/** Flags of `init`. */
export const INIT_FLAGS = {
  ...LIVE_CHOICE_FLAGS,
  ci: choiceFlag(['github', 'gitlab', 'none'], 'Write workflows too: plan, apply, drift'),
  ...SERVICE_FLAGS,
  ...RESULT_FLAGS,
};

/** The values of `INIT_FLAGS`. */
export type InitFlags = FlagsOf<typeof INIT_FLAGS>;
