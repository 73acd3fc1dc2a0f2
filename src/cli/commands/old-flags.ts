import type { ProjectFlags, ResultFlags, ServiceFlags } from '../flags.ts';
import { PROJECT_FLAGS, RESULT_FLAGS, SERVICE_FLAGS } from '../flags.ts';
import { fileFlag, switchFlag } from '../flag.ts';
import type { FlagsFor } from '../flag.ts';

/** Flags of every command about old firewall rules and old rate limits. */
export interface OldFlags extends ResultFlags, ServiceFlags, ProjectFlags {}

/** Flags of `firewall list` and `ratelimits list`. */
export interface OldListFlags extends OldFlags {
  readonly allZones?: boolean | undefined;
}

/** Flags that `firewall convert` and `ratelimits convert` share. */
export interface OldConvertFlags extends OldFlags {
  readonly out?: string | undefined;
}

/** Parameters of `OldFlags`. */
export const OLD_FLAGS: FlagsFor<OldFlags> = {
  ...PROJECT_FLAGS,
  ...SERVICE_FLAGS,
  ...RESULT_FLAGS,
};

/** Parameters of `OldListFlags`. */
export const OLD_LIST_FLAGS: FlagsFor<OldListFlags> = {
  allZones: switchFlag('Every zone that the token can read'),
  ...OLD_FLAGS,
};

/** Where a conversion writes. */
export const ZONE_FILE_FLAG: FlagsFor<Pick<OldConvertFlags, 'out'>> = {
  out: fileFlag('FILE', 'Write this zone file; it must not exist'),
};
