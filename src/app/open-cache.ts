import type { Credentials } from '../api/credentials.ts';
import { systemClock } from '../api/clock.ts';
import { cacheCipher } from '../live/cache-cipher.ts';
import { openCacheFiles } from '../live/cache-files.ts';
import type { RulesetCache } from '../live/ruleset-cache.ts';
import { versionCache } from '../live/version-cache.ts';
import type { Report } from './events.ts';

/** The version cache of a run. */
export interface CacheChoice {
  readonly folder: string;
  /** Days in which every scope is read in full once; null when this run does not see to that. */
  readonly sweepDays: number | null;
}

/** Opens the part of a cache that one set of credentials can read. */
export function openCache(
  { folder, sweepDays }: CacheChoice,
  asked: { readonly service: string; readonly credentials: Credentials },
  report: Report,
): RulesetCache {
  const tell = (problem: string): void => report({ kind: 'cache', problem });
  const cipher = cacheCipher(asked.service, asked.credentials);
  const files = openCacheFiles({ folder, cipher, clock: systemClock, tell });
  return versionCache({ files, clock: systemClock, sweepDays, tell });
}
