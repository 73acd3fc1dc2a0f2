import type { FlagsOf } from '../flag.ts';
import { switchFlag, textFlag } from '../flag.ts';
import { LIVE_FLAGS } from '../flags.ts';
import { SCOPE_FLAGS } from '../scope-flags.ts';

/** Flags of `catalog`. */
export const CATALOG_FLAGS = {
  tag: textFlag('TAG', 'Only rules with this tag'),
  search: textFlag('TEXT', 'Only rules that contain this text'),
  lock: switchFlag('Write rulewright.lock: the managed rules that your overrides affect'),
  ...SCOPE_FLAGS,
  ...LIVE_FLAGS,
};

/** The values of `CATALOG_FLAGS`. */
export type CatalogFlags = FlagsOf<typeof CATALOG_FLAGS>;
