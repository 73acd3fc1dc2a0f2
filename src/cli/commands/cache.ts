import { command, commandGroup } from '../command.ts';
import type { OutputFlags, SelectionFlags } from '../flags.ts';
import { CACHE_FLAGS, OUTPUT_FLAGS, SELECTION_FLAGS } from '../flags.ts';
import { switchFlag } from '../flag.ts';

/** Flags of `cache prune`. */
export interface PruneFlags extends OutputFlags, Pick<SelectionFlags, 'config'> {
  readonly cache?: string | undefined;
  readonly all?: boolean | undefined;
}

const prune = command({
  run: async () => (await import('../run/cache.ts')).runPrune,
  brief: 'Remove what is old, or everything',
  text: `Removes what was not used for 30 days, and the least recently used beyond 256
MB. Runs also do this by themselves once a day. What is removed is read again
when it is needed.`,
  examples: [
    ['rulewright cache prune', 'what is old'],
    ['rulewright cache prune --all', 'everything'],
  ],
  flags: {
    all: switchFlag('Remove everything'),
    cache: CACHE_FLAGS.cache,
    config: SELECTION_FLAGS.config,
    ...OUTPUT_FLAGS,
  },
});

/** `rulewright cache prune`. */
export const cacheCommands = commandGroup({ brief: 'Manage the cache of live state', routes: { prune } });
