import type { FlagsOf } from '../flag.ts';
import { inputFlag, keptFlag, switchFlag, valueFlagOr } from '../flag.ts';
import { OUTPUT_FLAGS, RESULT_FLAGS, between } from '../flags.ts';

/** Flags of `emulator`. */
export const EMULATOR_FLAGS = {
  port: valueFlagOr(between(0, 65_535), '0', {
    placeholder: 'N',
    brief: 'Port on loopback; 0 picks a free one',
  }),
  state: keptFlag('state', 'FILE', 'Keep the state in a file (default: in memory)'),
  seed: inputFlag('FILE', 'Start with this seed (default: a shop)'),
  faults: inputFlag('FILE', 'Make requests fail as this file describes'),
  unlimited: switchFlag('Without the request limit of the service'),
  format: RESULT_FLAGS.format,
  ...OUTPUT_FLAGS,
};

/** The values of `EMULATOR_FLAGS`. */
export type EmulatorFlags = FlagsOf<typeof EMULATOR_FLAGS>;
