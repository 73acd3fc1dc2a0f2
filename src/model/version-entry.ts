import type { LiveRuleName } from './live-difference.ts';
import type { LiveRulesetHead } from './ruleset.ts';

/** Which rules a version of a ruleset changed, compared with the version before it that is still kept. */
export interface VersionChanges {
  /** The version that it is compared with. */
  readonly against: string;
  readonly added: readonly LiveRuleName[];
  readonly changed: readonly LiveRuleName[];
  readonly deleted: readonly LiveRuleName[];
  readonly moved: readonly LiveRuleName[];
  /** Whether the description of the ruleset became another. */
  readonly description: boolean;
}

/** The most versions that are listed: each costs a request. */
export const MOST_VERSIONS = 1000;

/** A version of a ruleset, how many rules it has, and what it changed. */
export interface VersionEntry extends LiveRulesetHead {
  /** Null where the version is not kept any more. */
  readonly rules: number | null;
  /** Null for the oldest version that is kept, and where this version or the one before it is not kept any more. */
  readonly changes: VersionChanges | null;
}
