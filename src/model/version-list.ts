import type { LiveRulesetHead } from './ruleset.ts';
import type { Scope } from './scope.ts';
import type { VersionEntry } from './version-entry.ts';

/** The latest versions of a ruleset that still exist, oldest first; the last is the one in force. */
export interface VersionList {
  readonly scope: Scope;
  readonly ruleset: LiveRulesetHead;
  readonly versions: readonly VersionEntry[];
  /** How many versions are older than these. */
  readonly older: number;
}
