import type { FlagsOf } from '../flag.ts';
import { fileFlag, inputFlag, switchFlag } from '../flag.ts';
import { BOUND_FLAGS, GUARD_FLAGS } from '../flags.ts';
import { RUN_FLAGS } from '../run-flags.ts';

/** Flags of `plan`. */
export const PLAN_FLAGS = {
  out: fileFlag('FILE', 'Save the plan as JSON, for apply'),
  exitCode: switchFlag('Exit code 2 if there are changes'),
  preflight: switchFlag('Have the service check the writes, make none'),
  reverse: inputFlag('PLAN.json', 'Take back what this plan did'),
  ...GUARD_FLAGS,
  ...BOUND_FLAGS,
  ...RUN_FLAGS,
};

/** The values of `PLAN_FLAGS`. */
export type PlanFlags = FlagsOf<typeof PLAN_FLAGS>;
