import { PROJECT_FLAGS, RESULT_FLAGS, SERVICE_FLAGS } from '../flags.ts';
import type { WriteFlags } from '../write-flags.ts';
import { WRITE_FLAGS } from '../write-flags.ts';
import type { OldFlags } from './old-flags.ts';
import type { FlagsFor } from '../flag.ts';

/** Flags of `firewall retire` and `ratelimits retire`. */
export interface RetireFlags extends OldFlags, Pick<WriteFlags, 'dryRun' | 'yes' | 'allow' | 'journal'> {}

/** Parameters of `RetireFlags`. */
export const RETIRE_FLAGS: FlagsFor<RetireFlags> = {
  dryRun: WRITE_FLAGS.dryRun,
  yes: WRITE_FLAGS.yes,
  allow: WRITE_FLAGS.allow,
  journal: { ...WRITE_FLAGS.journal, brief: 'Journal (default: .rulewright/retired.jsonl)' },
  ...PROJECT_FLAGS,
  ...SERVICE_FLAGS,
  ...RESULT_FLAGS,
};
