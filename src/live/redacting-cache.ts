import type { LiveRuleset } from '../model/ruleset.ts';
import { referencesIn } from '../model/sensitive.ts';
import type { SensitiveValue } from '../model/sensitive.ts';
import type { RulesetCache } from './ruleset-cache.ts';

/**
 * A cache that holds no sensitive value, nor the reference that stands for one: after the value was changed, the same reference would hide
 * that live still has the old one. What was kept while nobody called the value sensitive goes when it is met.
 */
export function redactingCache(cache: RulesetCache, values: readonly SensitiveValue[]): RulesetCache {
  return {
    ...cache,
    find: async (scope, head) => {
      const kept = await cache.find(scope, head);
      if (kept === null || !tells(kept, values)) {
        return kept;
      }
      await cache.forget(scope, head);
      return null;
    },
    keep: (scope, ruleset) =>
      tells(ruleset, values) ? cache.forget(scope, ruleset) : cache.keep(scope, ruleset),
  };
}

function tells(ruleset: LiveRuleset, values: readonly SensitiveValue[]): boolean {
  return textsIn(ruleset).some(
    (text) => referencesIn(text).length > 0 || values.some(({ value }) => text.includes(value)),
  );
}

/** All texts of a value, keys included. JSON would spell them otherwise. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, member]) => [key, ...textsIn(member)])
    : [];
}
