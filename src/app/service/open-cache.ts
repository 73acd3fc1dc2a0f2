import type { Credentials } from '../../api/credentials.ts';
import type { Clock } from '../../network/clock.ts';
import { cacheCipher } from '../../live/cache-cipher.ts';
import { openCacheFiles } from '../../live/cache-files.ts';
import type { Pruned } from '../../live/prune-cache.ts';
import { PRUNE_LIMITS, pruneCache as prune } from '../../live/prune-cache.ts';
import type { RulesetCache } from '../../live/ruleset-cache.ts';
import { versionCache } from '../../live/version-cache.ts';
import type { Report } from '../run/events.ts';

/** The version cache of a run. */
export interface CacheChoice {
  readonly folder: string;
  /** Days in which every scope is read in full once; null when this run does not see to that. */
  readonly sweepDays: number | null;
}

/** Opens the part of a cache that one set of credentials can read. */
export function openCache(
  { folder, sweepDays }: CacheChoice,
  asked: { readonly service: string; readonly credentials: Credentials; readonly clock: Clock },
  report: Report,
): RulesetCache {
  const warn = (problem: string): void => report({ kind: 'cache', problem });
  const cipher = cacheCipher(asked.service, asked.credentials);
  const { clock } = asked;
  const files = openCacheFiles({ folder, cipher, clock, warn });
  return counted(versionCache({ files, clock, sweepDays, warn }), report);
}

/** The same cache, which tells what it was asked for and whether it knew. */
function counted(cache: RulesetCache, report: Report): RulesetCache {
  return {
    ...cache,
    find: async (scope, head) => {
      const found = await cache.find(scope, head);
      report({ kind: 'cache-asked', hit: found !== null });
      return found;
    },
    knowsAbsent: async (scope, phase, listed) => {
      const knows = await cache.knowsAbsent(scope, phase, listed);
      report({ kind: 'cache-asked', hit: knows });
      return knows;
    },
  };
}

/** Removes from a cache what is old or too much, or all of it. */
export function pruneCache(folder: string, what: 'old' | 'all', clock: Clock): Promise<Pruned> {
  return prune(folder, clock, what === 'all' ? { maxAgeMs: -1, maxBytes: 0 } : PRUNE_LIMITS);
}
