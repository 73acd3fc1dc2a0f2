import type { FlagParametersForType } from '@stricli/core';
import type { CommandContext } from '../context.ts';
import type { ProjectFlags, ResultFlags, ServiceFlags } from '../flags.ts';
import { PROJECT_FLAGS, RESULT_FLAGS, SERVICE_FLAGS } from '../flags.ts';
import { fileFlag } from '../flag.ts';

/** Flags of `firewall list` and `ratelimits list`. */
export interface OldListFlags extends ResultFlags, ServiceFlags, ProjectFlags {}

/** Flags that `firewall convert` and `ratelimits convert` share. */
export interface OldConvertFlags extends OldListFlags {
  readonly out?: string | undefined;
}

/** Parameters of `OldListFlags`. */
export const OLD_LIST_FLAGS: FlagParametersForType<OldListFlags, CommandContext> = {
  ...PROJECT_FLAGS,
  ...SERVICE_FLAGS,
  ...RESULT_FLAGS,
};

/** Where a conversion writes. */
export const ZONE_FILE_FLAG: FlagParametersForType<Pick<OldConvertFlags, 'out'>, CommandContext> = {
  out: fileFlag('FILE', 'Write this zone file; it must not exist'),
};
