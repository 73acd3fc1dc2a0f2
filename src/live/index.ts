/**
 * Reads what is live, for `app` and `apply`: rulesets of scopes, lists, the catalogue, with a cache of versions.
 *
 * Promises: absence is proven, an empty ruleset too; one failed scope fails alone; the fewest requests that prove it.
 * Never: writes to the service.
 */
export { cacheCipher, openCacheFiles } from './cache-files.ts';
export { createAccountLists, createReadLists, readList, readListItems } from './read-live-lists.ts';
export type { AccountLists } from './read-live-lists.ts';
export { createManagedRulesets } from './read-managed-rulesets.ts';
export type { ManagedRulesets } from './read-managed-rulesets.ts';
export {
  PRUNE_LIMITS,
  leastRecentlySeen,
  markSeen,
  pruneCache,
  pruneCacheDaily,
  readSeen,
} from './prune-cache.ts';
export type { Pruned } from './prune-cache.ts';
export { readExecuted } from './read-ruleset.ts';
export { readScope, readScopes } from './read-scopes.ts';
export type { ScopeReading } from './read-scopes.ts';
export { keepWholeScope, readWholeScope } from './read-whole-scope.ts';
export type { WholeScope } from './read-whole-scope.ts';
export { redactingCache } from './redacting-cache.ts';
export { attempt, listZones, resolveScopes } from './resolve-scopes.ts';
export type { Resolution } from './resolve-scopes.ts';
export { NO_CACHE } from './ruleset-cache.ts';
export type { RulesetCache } from './ruleset-cache.ts';
export { versionCache } from './version-cache.ts';
export { readSettings } from './read-live-settings.ts';
