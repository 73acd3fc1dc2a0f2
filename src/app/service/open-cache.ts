import type { Credentials } from '../../api/index.ts';
import type { Clock } from '../../network/index.ts';
import {
  cacheCipher,
  openCacheFiles,
  PRUNE_LIMITS,
  pruneCache as prune,
  versionCache,
} from '../../live/index.ts';
import type { Pruned, RulesetCache } from '../../live/index.ts';
import type { OnEvent } from '../run/events.ts';

/** The version cache that a run uses. */
export interface CacheChoice {
  readonly folder: string;
  /** Days within which every scope is read in full once; null if this run does not ensure that. */
  readonly sweepDays: number | null;
}

/** Opens the part of a cache that one set of credentials can decrypt. */
export function openCache(
  { folder, sweepDays }: CacheChoice,
  asked: { readonly service: string; readonly credentials: Credentials; readonly clock: Clock },
  report: OnEvent,
): RulesetCache {
  const warn = (problem: string): void => report({ kind: 'cache', problem });
  const cipher = cacheCipher(asked.service, asked.credentials);
  const { clock } = asked;
  const files = openCacheFiles({ folder, cipher, clock, warn });
  return counted(versionCache({ files, clock, sweepDays, warn }), report);
}

/** Wraps a cache so that it reports each query, and whether it was a hit. */
function counted(cache: RulesetCache, report: OnEvent): RulesetCache {
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

/** Removes old and excess entries from a cache, or all of them. */
export function pruneCache(folder: string, what: 'old' | 'all', clock: Clock): Promise<Pruned> {
  return prune(folder, clock, what === 'all' ? { maxAgeMs: -1, maxBytes: 0 } : PRUNE_LIMITS);
}
