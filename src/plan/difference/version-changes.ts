import type { LiveRuleset } from '../../model/ruleset.ts';
import type { VersionChanges } from '../../model/version-entry.ts';
import { liveDifference } from './live-difference.ts';

/** Counts what changed between two versions of a ruleset. A rule that changed and moved counts in both. */
export function versionChanges(before: LiveRuleset, after: LiveRuleset): VersionChanges {
  const { added, changed, removed, moved, description } = liveDifference(before, after);
  return {
    against: before.version,
    added: added.length,
    changed: changed.length,
    deleted: removed.length,
    moved: moved.length,
    description: description !== undefined,
  };
}
