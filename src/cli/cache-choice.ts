import { join, resolve } from 'node:path';
import type { CacheChoice } from '../app/service/open-cache.ts';
import type { RequestBound } from '../app/service/request-bound.ts';
import { projectFolder } from '../app/project/project-folder.ts';
import type { Selection } from '../app/project/selection.ts';
import type { CliContext } from './context.ts';
import type { FlagsOf } from './flag.ts';
import type { BOUND_FLAGS, CACHE_FLAGS } from './flags.ts';

/** The folder of the version cache: `--cache`, else `.rulewright/cache` of the project. */
export async function cacheFolder(
  { cwd }: CliContext,
  flags: Pick<ReadingFlags, 'cache'>,
  selection: Selection,
): Promise<string> {
  return flags.cache === undefined
    ? join(await projectFolder(selection), '.rulewright', 'cache')
    : resolve(cwd, flags.cache);
}

/** How a command that only reads finds out about live state. */
export interface ReadingFlags extends Partial<FlagsOf<typeof CACHE_FLAGS & typeof BOUND_FLAGS>> {
  readonly sweep?: number | undefined;
}

/** The bound on requests that flags set. */
export async function requestBound(
  context: CliContext,
  flags: ReadingFlags,
  selection: Selection,
): Promise<{ readonly bound?: RequestBound }> {
  return flags.maxRequests === undefined
    ? {}
    : { bound: { most: flags.maxRequests, folder: await cacheFolder(context, flags, selection) } };
}

/** The version cache that flags choose; none with `--no-cache`. */
export async function cacheChoice(
  context: CliContext,
  flags: ReadingFlags,
  selection: Selection,
): Promise<{ readonly cache?: CacheChoice }> {
  return flags.noCache === true
    ? {}
    : { cache: { folder: await cacheFolder(context, flags, selection), sweepDays: flags.sweep ?? null } };
}
