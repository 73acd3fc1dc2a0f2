import { command, commandGroup } from '../command.ts';
import { requireNamedProject, pruneCache } from '../../app/index.ts';
import { counted } from '../../text/index.ts';
import { cacheFolder } from '../cache-choice.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { writeResult } from '../result.ts';
import { selectionOf } from '../service-choice.ts';
import type { FlagsOf } from '../flag.ts';
import { switchFlag } from '../flag.ts';
import { CACHE_FLAGS, PROJECT_FLAGS, RESULT_FLAGS } from '../flags.ts';

/** Flags of `cache prune`. */
const PRUNE_FLAGS = {
  all: switchFlag('Remove everything'),
  cache: CACHE_FLAGS.cache,
  config: PROJECT_FLAGS.config,
  ...RESULT_FLAGS,
};

/** The values of `PRUNE_FLAGS`. */
type PruneFlags = FlagsOf<typeof PRUNE_FLAGS>;

/** Removes old entries from the cache, or all, and reports how much is left. */
async function runPrune(context: CliContext, flags: PruneFlags): Promise<ExitCode> {
  const selection = selectionOf(context, flags, []);
  await requireNamedProject(selection);
  const folder = await cacheFolder(context, flags, selection);
  const { removed, kept, bytes } = await pruneCache(
    folder,
    flags.all === true ? 'all' : 'old',
    context.clock,
  );
  await writeResult(context, flags, {
    document: () => ({
      title: 'Rulewright cache prune',
      summary: [
        [
          `removed ${counted(removed, 'entry', 'entries')}; ${counted(kept, 'is', 'are')} left, ${sizeText(bytes)}`,
        ],
      ],
      body: [],
    }),
    json: () => ({ kind: 'cache-prune', formatVersion: 1, removed, kept, bytes }),
  });
  return EXIT.done;
}

function sizeText(bytes: number): string {
  const kilobytes = bytes / 1024;
  return kilobytes < 1000 ? `${Math.ceil(kilobytes)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}

const prune = command({
  run: runPrune,
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
export const cacheCommands = commandGroup({ routes: { prune: prune('Remove what is old, or everything') } });
