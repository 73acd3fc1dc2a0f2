import type { FlagsOf } from '../flag.ts';
import { choiceFlag } from '../flag.ts';
import { LIVE_FLAGS } from '../flags.ts';
import { ZONE_FILE_FLAG, ZONE_FILE_RESULT } from '../old-flags.ts';

/** Flags of `firewall convert`. */
export const FIREWALL_CONVERT_FLAGS = {
  ...ZONE_FILE_FLAG,
  order: choiceFlag(['list', 'priority'], 'The order in which the zone runs its rules'),
  place: choiceFlag(['first', 'last'], 'Before or after other custom rules'),
  ...LIVE_FLAGS,
  ...ZONE_FILE_RESULT,
};

/** The values of `FIREWALL_CONVERT_FLAGS`. */
export type FirewallConvertFlags = FlagsOf<typeof FIREWALL_CONVERT_FLAGS>;
