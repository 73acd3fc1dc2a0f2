import type { FlagsOf } from '../flag.ts';
import { textFlag } from '../flag.ts';
import { LIVE_FLAGS } from '../flags.ts';
import { WRITE_FLAGS } from '../write-flags.ts';

const STEP_FLAGS = {
  allow: WRITE_FLAGS.allow,
  dryRun: WRITE_FLAGS.dryRun,
  journal: WRITE_FLAGS.journal,
  ...LIVE_FLAGS,
};

/** Flags of `waf validate`. */
export const WAF_VALIDATE_FLAGS = { yes: WRITE_FLAGS.yes, ...STEP_FLAGS };

/** The values of `WAF_VALIDATE_FLAGS`. */
export type WafValidateFlags = FlagsOf<typeof WAF_VALIDATE_FLAGS>;

/** Flags of `waf finish`. */
export const WAF_FINISH_FLAGS = {
  confirm: textFlag('ZONE', 'The name of the zone, instead of typing it'),
  ...STEP_FLAGS,
};

/** The values of `WAF_FINISH_FLAGS`. */
export type WafFinishFlags = FlagsOf<typeof WAF_FINISH_FLAGS>;
