import type {
  LiveListHead,
  LiveListItem,
  LiveRuleset,
  LiveRulesetHead,
  Scope,
  DesiredScope,
  LiveScope,
} from '../model/index.ts';

/**
 * Caches rulesets, so that an unchanged scope takes one request, for its list. The service increments a ruleset's version with each change
 * (api.md 6.2), and the list shows version and time; so a cached ruleset with the id, the version and the time in the list is current.
 *
 * A list does not prove that an entry point is absent, because it is not documented to show rulesets that the credentials may not read
 * (api.md 11). Once the entry point's own GET was answered with 10003, the credentials may read the phase, so an entry point that is
 * created later shows in the list. This fails only if the permission is taken away. So the proof is valid for a day, only while the list
 * shows the same rulesets of the phase, and ends when an entry point is seen. A proof obtained without a list is tied to the first list
 * that shows no entry point of the phase, and treated as any other from then on.
 */
export interface RulesetCache {
  /** Returns the ruleset of a head in a list; null when it has to be read. */
  find(scope: Scope, head: LiveRulesetHead): Promise<LiveRuleset | null>;
  /** Stores a ruleset. Errors of the file system do not make this fail. */
  keep(scope: Scope, ruleset: LiveRuleset): Promise<void>;
  /** Removes a ruleset from the cache. */
  forget(scope: Scope, head: LiveRulesetHead): Promise<void>;
  /** Whether a recent proof shows that a phase without entry point in the list has none. */
  knowsAbsent(scope: Scope, phase: string, listed: readonly LiveRulesetHead[]): Promise<boolean>;
  /** Stores a proof that the phase has no entry point; `listed` is null when it was obtained without a list. */
  keepAbsent(scope: Scope, phase: string, listed: readonly LiveRulesetHead[] | null): Promise<void>;
  /**
   * Returns the items of a list, by its id and the time and number of items that the service lists it with; null when they have to be read. A
   * hundred thousand items are two hundred requests.
   */
  findItems(scope: Scope, head: LiveListHead): Promise<readonly LiveListItem[] | null>;
  keepItems(scope: Scope, head: LiveListHead, items: readonly LiveListItem[]): Promise<void>;
  /** Records that a scope was just read from the service, for `estimateRequests`. */
  note(desired: Pick<DesiredScope, 'scope'>, live: Pick<LiveScope, 'scope' | 'entries'>): Promise<void>;
  /** Estimates the requests that reading a scope takes if it has not changed since it was last read; null when nothing is known about it. */
  estimateRequests(desired: DesiredScope): Promise<number | null>;
}

/** A cache that stores nothing. */
export const NO_CACHE: RulesetCache = {
  find: () => Promise.resolve(null),
  keep: () => Promise.resolve(),
  forget: () => Promise.resolve(),
  knowsAbsent: () => Promise.resolve(false),
  keepAbsent: () => Promise.resolve(),
  findItems: () => Promise.resolve(null),
  keepItems: () => Promise.resolve(),
  note: () => Promise.resolve(),
  estimateRequests: () => Promise.resolve(null),
};
