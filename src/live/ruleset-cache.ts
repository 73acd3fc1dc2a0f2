import type { LiveRuleset, LiveRulesetHead } from '../model/ruleset.ts';
import type { Scope } from '../model/scope.ts';

/**
 * Keeps what was read, so that an unchanged scope costs one list. The service counts a ruleset's version up
 * with each change (api.md 6.2), and its list shows version and time; so a ruleset with the id, the version
 * and the time that the list shows is the one that was read before.
 *
 * Absence is remembered only together with the exact list in which the entry point was missing when its own
 * GET proved that it does not exist, and for a day: any ruleset that comes or changes makes another list.
 */
export interface RulesetCache {
  /** The ruleset behind the head of a list; null when it has to be read. */
  find(scope: Scope, head: LiveRulesetHead): Promise<LiveRuleset | null>;
  /** Never fails for what the file system does. */
  keep(scope: Scope, ruleset: LiveRuleset): Promise<void>;
  /** Removes what was kept of a ruleset. */
  forget(scope: Scope, head: LiveRulesetHead): Promise<void>;
  /** Whether it was proven lately, under the very same list, that the phase has no entry point. */
  knowsAbsent(scope: Scope, phase: string, listed: readonly LiveRulesetHead[]): Promise<boolean>;
  keepAbsent(scope: Scope, phase: string, listed: readonly LiveRulesetHead[]): Promise<void>;
}

/** Keeps nothing. */
export const NO_CACHE: RulesetCache = {
  find: () => Promise.resolve(null),
  keep: () => Promise.resolve(),
  forget: () => Promise.resolve(),
  knowsAbsent: () => Promise.resolve(false),
  keepAbsent: () => Promise.resolve(),
};
