import type { FlagsOf } from './flag.ts';
import { scopeFileFlag, switchFlag } from './flag.ts';
import { LIVE_FLAGS } from './flags.ts';
import { WRITE_FLAGS } from './write-flags.ts';

/** For commands that can look at every zone. */
export const ALL_ZONES_FLAG = { allZones: switchFlag('Every zone that the token can read') };

/** For `firewall list`, `ratelimits list` and `waf status`. */
export const ZONE_LIST_FLAGS = { ...ALL_ZONES_FLAG, ...LIVE_FLAGS };

/** The values of `ZONE_LIST_FLAGS`. */
export type ZoneListFlags = FlagsOf<typeof ZONE_LIST_FLAGS>;

/** The file that `firewall convert` and `ratelimits convert` write. */
export const ZONE_FILE_FLAG = { out: scopeFileFlag('FILE', 'Write this zone file, or add the phase to it') };

/** For commands that print a zone file unless another format is asked for. */
export const ZONE_FILE_RESULT = { output: scopeFileFlag('FILE', 'Write the result to a file') };

/** The values of `ZONE_FILE_FLAG`. */
export type ZoneFileFlags = FlagsOf<typeof ZONE_FILE_FLAG>;

/** For commands that delete objects of a deprecated interface after their conversion is live. */
export const RETIRE_FLAGS = {
  dryRun: WRITE_FLAGS.dryRun,
  yes: WRITE_FLAGS.yes,
  allow: WRITE_FLAGS.allow,
  journal: { ...WRITE_FLAGS.journal, brief: 'Journal (default: .rulewright/retired.jsonl)' },
  ...LIVE_FLAGS,
};

/** The values of `RETIRE_FLAGS`. */
export type RetireFlags = FlagsOf<typeof RETIRE_FLAGS>;
