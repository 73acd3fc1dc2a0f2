import type { FlagParametersForType } from '@stricli/core';
import type { CommandContext } from '../context.ts';
import type { ResultFlags, SelectionFlags, ServiceFlags } from '../flags.ts';
import { RESULT_FLAGS, SELECTION_FLAGS, SERVICE_FLAGS } from '../flags.ts';
import { fileFlag } from '../flag.ts';

/** Flags of `firewall list` and `ratelimits list`. */
export interface OldListFlags extends ResultFlags, ServiceFlags, Pick<SelectionFlags, 'config'> {}

/** Flags that `firewall convert` and `ratelimits convert` share. */
export interface OldConvertFlags extends OldListFlags {
  readonly out?: string | undefined;
}

/** Parameters of `OldListFlags`. */
export const OLD_LIST_FLAGS: FlagParametersForType<OldListFlags, CommandContext> = {
  config: SELECTION_FLAGS.config,
  ...SERVICE_FLAGS,
  ...RESULT_FLAGS,
};

/** Where a conversion writes. */
export const ZONE_FILE_FLAG: FlagParametersForType<Pick<OldConvertFlags, 'out'>, CommandContext> = {
  out: fileFlag('FILE', 'Write this zone file; it must not exist'),
};
