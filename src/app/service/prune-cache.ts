import { systemClock } from '../../api/clock.ts';
import type { Pruned } from '../../live/prune-cache.ts';
import { PRUNE_LIMITS, pruneCache as prune } from '../../live/prune-cache.ts';

/** Removes from a cache what is old or too much, or all of it. */
export function pruneCache(folder: string, what: 'old' | 'all'): Promise<Pruned> {
  return prune(folder, systemClock, what === 'all' ? { maxAgeMs: -1, maxBytes: 0 } : PRUNE_LIMITS);
}
