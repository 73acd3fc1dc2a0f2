import { MOST_VERSIONS } from '../../model/index.ts';
import type { FlagsOf } from '../flag.ts';
import { valueFlag, valueFlagOr } from '../flag.ts';
import { LIVE_FLAGS, between } from '../flags.ts';
import { WRITE_FLAGS } from '../write-flags.ts';

const NUMBER = between(1, Number.MAX_SAFE_INTEGER);

/** Flags of `versions`. */
export const VERSIONS_FLAGS = {
  limit: valueFlagOr(between(1, MOST_VERSIONS), '10', {
    placeholder: 'N',
    brief: 'How many versions to list',
  }),
  show: valueFlag(NUMBER, 'N', 'Print this version as YAML'),
  delete: valueFlag(NUMBER, 'N', 'Delete this version permanently'),
  yes: WRITE_FLAGS.yes,
  allow: WRITE_FLAGS.allow,
  ...LIVE_FLAGS,
};

/** The values of `VERSIONS_FLAGS`. */
export type VersionsFlags = FlagsOf<typeof VERSIONS_FLAGS>;
