import type { AuthorsOfChange } from './audit.ts';
import type { EndOfRule } from './diagnostic.ts';
import type { Plan } from './plan.ts';
import type { FieldChange, TextChange } from './field-change.ts';

/** What a drifted rule does to protection, live compared with the files; most severe first. */
export const DRIFT_SEVERITIES = ['weakening', 'neutral', 'strengthening'] as const;

export type DriftSeverity = (typeof DRIFT_SEVERITIES)[number];

/** One rule in which live differs from the files, or that does something else by the items of a live list, with what the service tells about when it changed. */
export interface DriftChange extends Partial<AuthorsOfChange> {
  /** `zone:shop.example`. */
  readonly scope: string;
  /** The step that would undo the drift: `zone:shop.example/http_ratelimit`. */
  readonly step: string;
  /** `ref` of the rule; empty when it is about a list as a whole. */
  readonly rule: string;
  /** Present when nobody named the rule, so its `ref` is not telling. */
  readonly description?: string;
  readonly difference: 'only-live' | 'missing-live' | 'changed-live' | 'moved-live';
  /** Drift that is not proven neutral or strengthening counts as weakening. */
  readonly severity: DriftSeverity;
  readonly reason?: string;
  /** Present when it is not known that live weakens, only not proven that it does not. */
  readonly proven?: false;
  /** What live thereby does to every request and the files do not: `blocks every request`. An outage, even if it protects. */
  readonly everyRequest?: string;
  /** What live thereby lets every request past and the files do not: `lets every request past WAF managed rules`. */
  readonly unprotected?: string;
  /** Version of the live ruleset; null when there is none, and for lists, which have none. */
  readonly version: string | null;
  /** When that version was made, or the list was last changed, as the service reports; null when it does not. */
  readonly lastUpdated: string | null;
}

/** A rule of the files that ends soon, or has ended, by its window. */
export interface EndingRule extends EndOfRule {
  readonly kind: 'ended' | 'ends-soon';
  /** Where it is written: `zones/shop.yaml:5:9`. */
  readonly place: string;
  /** A sentence with all that. */
  readonly message: string;
}

/** How live differs from the files: the plan that would undo the drift, and each change judged by what live has become. */
export interface Drift {
  readonly plan: Plan;
  /** Changes by which live ends every request first, then those that let every request past protection, then those that weaken it. */
  readonly changes: readonly DriftChange[];
  /** In the order of the files. */
  readonly ends: readonly EndingRule[];
}

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
export interface ConcurrentWrite {
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
