import { requireNamedProject, pruneCache } from '../../app/index.ts';
import { counted } from '../../text/index.ts';
import { cacheFolder } from '../cache-choice.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { writeResult } from '../result.ts';
import { selectionOf } from '../service-choice.ts';
import type { PruneFlags } from '../flags/cache.ts';

/** Removes old entries from the cache, or all, and reports how much is left. */
export async function runPrune(context: CliContext, flags: PruneFlags): Promise<ExitCode> {
  const selection = selectionOf(context, flags, []);
  await requireNamedProject(selection);
  const folder = await cacheFolder(context, flags, selection);
  const { removed, kept, bytes } = await pruneCache(
    folder,
    flags.all === true ? 'all' : 'old',
    context.clock,
  );
  await writeResult(context, flags, {
    text: () =>
      `removed ${counted(removed, 'entry', 'entries')}; ${counted(kept, 'is', 'are')} left, ${sizeText(bytes)}\n`,
    json: () => ({ kind: 'cache-prune', formatVersion: 1, removed, kept, bytes }),
  });
  return EXIT.done;
}

function sizeText(bytes: number): string {
  const kilobytes = bytes / 1024;
  return kilobytes < 1000 ? `${Math.ceil(kilobytes)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}
