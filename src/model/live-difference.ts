import type { FieldChange } from './field-change.ts';
import type { TextChange } from './field-change.ts';

/** A live rule by its names. */
export interface LiveRuleName {
  readonly id: string;
  readonly ref: string;
  /** Of a rule the `ref` of which tells nothing. */
  readonly description?: string;
}

/** A live rule whose content differs between two versions. */
export interface ChangedLiveRule extends LiveRuleName {
  /** Empty when it is known that the rule differs, but not how. */
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
  /** Rules that changed their place among those that stayed, as few as explain the new order. */
  readonly moved: readonly LiveRuleName[];
  readonly description?: TextChange;
  /** False when the older version cannot be read any more: then changes of content may be missing. */
  readonly complete: boolean;
}

/** A version that somebody else wrote while we were writing. */
export interface ForeignWrite {
  readonly version: string;
  readonly lastUpdated: string;
  /** What it changed. */
  readonly difference: LiveDifference;
  /** Rules whose change is no longer live, since our write replaced the list. */
  readonly lost: readonly LiveRuleName[];
  /** Rules whose change would be undone by a write of ours that nobody answered, if that still lands. */
  readonly atRisk?: readonly LiveRuleName[];
}

/** Versions of a ruleset, both ends included. */
export interface VersionSpan {
  readonly from: string;
  readonly to: string;
}
