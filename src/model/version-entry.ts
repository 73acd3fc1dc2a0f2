import type { LiveRuleName } from './live-difference.ts';
import type { LiveRulesetHead } from './ruleset.ts';

/** Which rules a version of a ruleset changed compared with the previous version that still exists. */
export interface VersionChanges {
  /** The version compared with. */
  readonly against: string;
  readonly added: readonly LiveRuleName[];
  readonly changed: readonly LiveRuleName[];
  readonly deleted: readonly LiveRuleName[];
  readonly moved: readonly LiveRuleName[];
  /** Whether the ruleset's description changed. */
  readonly description: boolean;
}

/** The most versions that are listed, since each costs a request. */
export const MOST_VERSIONS = 1000;

/** A version of a ruleset, its number of rules, and what it changed. */
export interface VersionEntry extends LiveRulesetHead {
  /** Null when the version no longer exists. */
  readonly rules: number | null;
  /** Null for the oldest version that still exists, and when this version or the previous one no longer exists. */
  readonly changes: VersionChanges | null;
}
