import { join, resolve } from 'node:path';
import { projectFolder } from '../app/index.ts';
import type { Selection, ServiceOptions } from '../app/index.ts';
import type { CliContext } from './context.ts';
import type { FlagsOf } from './flag.ts';
import type { BOUND_FLAGS, CACHE_FLAGS } from './flags.ts';

/** Returns the folder of the version cache: `--cache`, else `.rulewright/cache` of the project. */
export async function cacheFolder(
  { cwd }: CliContext,
  flags: Pick<ReadingFlags, 'cache'>,
  selection: Selection,
): Promise<string> {
  return flags.cache === undefined
    ? join(await projectFolder(selection), '.rulewright', 'cache')
    : resolve(cwd, flags.cache);
}

/** The flags by which a command that only reads finds out about live state. */
export interface ReadingFlags extends Partial<FlagsOf<typeof CACHE_FLAGS & typeof BOUND_FLAGS>> {
  readonly sweep?: number | undefined;
}

/** Returns the version cache that the flags choose (none with `--no-cache`), and the bound that they set on requests. */
export async function readingChoice(
  context: CliContext,
  flags: ReadingFlags,
  selection: Selection,
): Promise<Pick<ServiceOptions, 'cache' | 'bound'>> {
  const folder = await cacheFolder(context, flags, selection);
  return {
    cache: flags.noCache === true ? undefined : { folder, sweepDays: flags.sweep ?? null },
    bound: flags.maxRequests === undefined ? undefined : { most: flags.maxRequests, folder },
  };
}
