import { isIP } from 'node:net';

import type { FlagsOf } from '../flag.ts';
import { inputFlag, keptFlag, listFlag, switchFlag, valueFlagOr } from '../flag.ts';
import { OUTPUT_FLAGS, RESULT_FLAGS, between } from '../flags.ts';

/** Flags of `emulator`. */
export const EMULATOR_FLAGS = {
  port: valueFlagOr(between(0, 65_535), '0', {
    placeholder: 'N',
    brief: 'Port to listen on; 0 picks a free one',
  }),
  listen: valueFlagOr(address, '127.0.0.1', {
    placeholder: 'ADDRESS',
    brief: 'Address to listen on; others than loopback let other machines in',
  }),
  allowHost: listFlag(host, 'HOST', 'Answer for this host too (repeatable)'),
  state: keptFlag('state', 'FILE', 'Keep the state in a file (default: in memory)'),
  seed: inputFlag('FILE', 'Start with this seed (default: a shop)'),
  faults: inputFlag('FILE', 'Make requests fail as this file describes'),
  unlimited: switchFlag('Without the request limit of the service'),
  format: RESULT_FLAGS.format,
  ...OUTPUT_FLAGS,
};

/** The values of `EMULATOR_FLAGS`. */
export type EmulatorFlags = FlagsOf<typeof EMULATOR_FLAGS>;

function address(text: string): string {
  if (isIP(text) === 0) {
    throw new Error('expected an IP address, such as 127.0.0.1, ::1 or 0.0.0.0');
  }
  return text;
}

function host(text: string): string {
  if (!/^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d+)?$/iu.test(text)) {
    throw new Error('expected a host as clients name it, such as emulator or emulator:8787');
  }
  return text;
}
