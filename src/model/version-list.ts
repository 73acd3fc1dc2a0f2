import type { LiveRulesetHead } from './ruleset.ts';
import type { Scope } from './scope.ts';
import type { VersionEntry } from './version-entry.ts';

/** The latest versions of a ruleset, oldest first; the last is the one in force. */
export interface VersionList {
  readonly scope: Scope;
  readonly ruleset: LiveRulesetHead;
  readonly versions: readonly VersionEntry[];
  /** Number of versions older than the listed ones. */
  readonly older: number;
}
