import type { LiveRuleset, SensitiveValue } from '../model/index.ts';
import { referencesIn } from '../model/index.ts';
import type { RulesetCache } from './ruleset-cache.ts';

/**
 * Wraps a cache so that it stores no ruleset with a sensitive value or a reference to one: after the value has changed, a cached reference
 * would hide that the live ruleset still has the old value. An entry from before the value became sensitive is removed when it is read.
 */
export function redactingCache(cache: RulesetCache, values: readonly SensitiveValue[]): RulesetCache {
  return {
    ...cache,
    find: async (scope, head) => {
      const kept = await cache.find(scope, head);
      if (kept === null || !holdsSecret(kept, values)) {
        return kept;
      }
      await cache.forget(scope, head);
      return null;
    },
    keep: (scope, ruleset) =>
      holdsSecret(ruleset, values) ? cache.forget(scope, ruleset) : cache.keep(scope, ruleset),
  };
}

function holdsSecret(ruleset: LiveRuleset, values: readonly SensitiveValue[]): boolean {
  return textsIn(ruleset).some(
    (text) => referencesIn(text).length > 0 || values.some(({ value }) => text.includes(value)),
  );
}

/** Returns all texts of a value, including keys. Searching its JSON would miss texts that JSON escapes. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, member]) => [key, ...textsIn(member)])
    : [];
}
