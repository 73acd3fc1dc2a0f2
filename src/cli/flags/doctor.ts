import type { FlagsOf } from '../flag.ts';
import { switchFlag, textFlag } from '../flag.ts';
import { PROJECT_FLAGS, RESULT_FLAGS, SELECTION_FLAGS, SERVICE_FLAGS } from '../flags.ts';

/** Flags of `doctor`. */
export const DOCTOR_FLAGS = {
  zone: textFlag('NAME', 'Only this zone, by name or id'),
  account: textFlag('NAME', 'Only this account, by name or id'),
  ...PROJECT_FLAGS,
  target: SELECTION_FLAGS.target,
  readOnly: switchFlag('The token is for reading only: do not check writes'),
  all: switchFlag('Check every scope, not ten for each token'),
  ...SERVICE_FLAGS,
  ...RESULT_FLAGS,
  verbose: switchFlag('Show each check and each request'),
};

/** The values of `DOCTOR_FLAGS`. */
export type DoctorFlags = FlagsOf<typeof DOCTOR_FLAGS>;
