import type { LiveRuleset, LiveRulesetHead } from '../model/ruleset.ts';
import type { Scope } from '../model/scope.ts';
import type { DeclaredScope, LiveScope } from '../model/state.ts';

/**
 * Keeps what was read, so that an unchanged scope costs one list. The service counts a ruleset's version up
 * with each change (api.md 6.2), and its list shows version and time; so a ruleset with the id, the version
 * and the time that the list shows is the one that was read before.
 *
 * No list proves that an entry point is absent, for nobody says that it shows what the credentials may not read
 * (api.md 11). Once the entry point's own GET was answered with 10003 they may read the phase, so one that is made
 * later shows in the list. What could make that untrue is a permission that is taken away: so the proof counts
 * for a day, only while the list shows the same rulesets of the phase, and ends when an entry point was seen. A proof that came without
 * a list goes on with the first list that shows no entry point of the phase, and from then on as any other.
 */
export interface RulesetCache {
  /** The ruleset behind the head of a list; null when it has to be read. */
  find(scope: Scope, head: LiveRulesetHead): Promise<LiveRuleset | null>;
  /** Never fails for what the file system does. */
  keep(scope: Scope, ruleset: LiveRuleset): Promise<void>;
  /** Removes what was kept of a ruleset. */
  forget(scope: Scope, head: LiveRulesetHead): Promise<void>;
  /** Whether it was proven lately that the phase, of which the list shows no entry point, has none. */
  knowsAbsent(scope: Scope, phase: string, listed: readonly LiveRulesetHead[]): Promise<boolean>;
  /** `listed` is null where the proof came without a list. */
  keepAbsent(scope: Scope, phase: string, listed: readonly LiveRulesetHead[] | null): Promise<void>;
  /** Notes that something of a scope was just read from the service, for `estimateRequests`. */
  note(desired: Pick<DeclaredScope, 'scope'>, live: Pick<LiveScope, 'scope' | 'entries'>): Promise<void>;
  /** Requests that a scope likely takes, when nothing in it has changed since it was read last; null: nothing is known of it. */
  estimateRequests(desired: DeclaredScope): Promise<number | null>;
}

/** Keeps nothing. */
export const NO_CACHE: RulesetCache = {
  find: () => Promise.resolve(null),
  keep: () => Promise.resolve(),
  forget: () => Promise.resolve(),
  knowsAbsent: () => Promise.resolve(false),
  keepAbsent: () => Promise.resolve(),
  note: () => Promise.resolve(),
  estimateRequests: () => Promise.resolve(null),
};
