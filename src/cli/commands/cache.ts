import type { Command, RouteMap } from '@stricli/core';
import { buildCommand, buildRouteMap } from '@stricli/core';
import { description, lazily } from '../command.ts';
import type { CommandContext } from '../context.ts';
import type { OutputFlags, SelectionFlags } from '../flags.ts';
import { CACHE_FLAGS, OUTPUT_FLAGS, SELECTION_FLAGS } from '../flags.ts';
import { switchFlag } from '../flag.ts';

/** Flags of `cache prune`. */
export interface PruneFlags extends OutputFlags, Pick<SelectionFlags, 'config'> {
  readonly cache?: string | undefined;
  readonly all?: boolean | undefined;
}

const prune: Command<CommandContext> = buildCommand<PruneFlags, [], CommandContext>({
  func: lazily(async () => (await import('../run/cache.ts')).runPrune),
  parameters: {
    flags: {
      all: switchFlag('Remove everything'),
      cache: CACHE_FLAGS.cache,
      config: SELECTION_FLAGS.config,
      ...OUTPUT_FLAGS,
    },
  },
  docs: {
    brief: 'Remove what is old, or everything',
    fullDescription: description(
      `Removes what was not used for 30 days, and the least recently used beyond 256
MB. Runs also do this by themselves once a day. What is removed is read again
when it is needed.`,
      [
        ['rulewright cache prune', 'what is old'],
        ['rulewright cache prune --all', 'everything'],
      ],
    ),
  },
});

/** `rulewright cache prune`. */
export const cacheCommands: RouteMap<CommandContext> = buildRouteMap({
  routes: { prune },
  docs: { brief: 'Manage the cache of live state' },
});
