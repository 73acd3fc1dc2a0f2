import type { FieldChange, TextChange } from './field-change.ts';

/** The names of a live rule. */
export interface LiveRuleName {
  readonly id: string;
  readonly ref: string;
  /** Description of the rule; present when its `ref` is not telling. */
  readonly description?: string;
}

/** A live rule whose content differs between two versions. */
export interface ChangedLiveRule extends LiveRuleName {
  /** Empty when the rule is known to differ, but not in what. */
  readonly fields: readonly FieldChange[];
}

/** What changed in a live ruleset from one version to another, whoever changed it. */
export interface LiveDifference {
  /** Version; null where there was no ruleset. */
  readonly from: string | null;
  readonly to: string | null;
  readonly added: readonly LiveRuleName[];
  readonly removed: readonly LiveRuleName[];
  readonly changed: readonly ChangedLiveRule[];
  /** Rules that changed their place among the rules in both versions; the fewest that explain the new order. */
  readonly moved: readonly LiveRuleName[];
  readonly description?: TextChange;
  /** False when the older version can no longer be read: changes of content may then be missing. */
  readonly complete: boolean;
}

/** A version that somebody else wrote while we were writing. */
export interface ForeignWrite {
  readonly version: string;
  readonly lastUpdated: string;
  readonly difference: LiveDifference;
  /** Rules whose change was lost, since our write replaced the list. */
  readonly lost: readonly LiveRuleName[];
  /** Rules whose change would be lost if an unanswered write of ours still lands. */
  readonly atRisk?: readonly LiveRuleName[];
}

/** A range of ruleset versions, both ends included. */
export interface VersionSpan {
  readonly from: string;
  readonly to: string;
}
