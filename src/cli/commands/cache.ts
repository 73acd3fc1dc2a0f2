import { command, commandGroup } from '../command.ts';
import { PRUNE_FLAGS } from '../flags/cache.ts';

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
  flags: PRUNE_FLAGS,
});

/** `rulewright cache prune`. */
export const cacheCommands = commandGroup({ brief: 'Manage the cache of live state', routes: { prune } });
