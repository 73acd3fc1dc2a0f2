import type { FlagsOf } from '../flag.ts';
import { switchFlag } from '../flag.ts';
import { LIVE_FLAGS } from '../flags.ts';
import { ZONE_FILE_FLAG, ZONE_FILE_RESULT } from '../old-flags.ts';

/** Flags of `ratelimits convert`. */
export const RATE_LIMITS_CONVERT_FLAGS = {
  ...ZONE_FILE_FLAG,
  fitPlan: switchFlag('Leave out what the plan level of the zone does not include'),
  ...LIVE_FLAGS,
  ...ZONE_FILE_RESULT,
};

/** The values of `RATE_LIMITS_CONVERT_FLAGS`. */
export type RateLimitsConvertFlags = FlagsOf<typeof RATE_LIMITS_CONVERT_FLAGS>;
