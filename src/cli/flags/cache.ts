import type { FlagsOf } from '../flag.ts';
import { switchFlag } from '../flag.ts';
import { CACHE_FLAGS, PROJECT_FLAGS, RESULT_FLAGS } from '../flags.ts';

/** Flags of `cache prune`. */
export const PRUNE_FLAGS = {
  all: switchFlag('Remove everything'),
  cache: CACHE_FLAGS.cache,
  config: PROJECT_FLAGS.config,
  ...RESULT_FLAGS,
};

/** The values of `PRUNE_FLAGS`. */
export type PruneFlags = FlagsOf<typeof PRUNE_FLAGS>;
