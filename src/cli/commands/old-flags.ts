import type { FlagsOf } from '../flag.ts';
import { fileFlag, switchFlag } from '../flag.ts';
import { LIVE_FLAGS } from '../flags.ts';
import { WRITE_FLAGS } from '../write-flags.ts';

/** For `firewall list` and `ratelimits list`. */
export const OLD_LIST_FLAGS = { allZones: switchFlag('Every zone that the token can read'), ...LIVE_FLAGS };

/** The values of `OLD_LIST_FLAGS`. */
export type OldListFlags = FlagsOf<typeof OLD_LIST_FLAGS>;

/** Where `firewall convert` and `ratelimits convert` write. */
export const ZONE_FILE_FLAG = { out: fileFlag('FILE', 'Write this zone file, or add the phase to it') };

/** For commands that delete old things whose conversion is live. */
export const RETIRE_FLAGS = {
  dryRun: WRITE_FLAGS.dryRun,
  yes: WRITE_FLAGS.yes,
  allow: WRITE_FLAGS.allow,
  journal: { ...WRITE_FLAGS.journal, brief: 'Journal (default: .rulewright/retired.jsonl)' },
  ...LIVE_FLAGS,
};

/** The values of `RETIRE_FLAGS`. */
export type RetireFlags = FlagsOf<typeof RETIRE_FLAGS>;
