import type { ErrorCode } from './error-code.ts';
import type { FieldChange } from './field-change.ts';
import type { ForeignWrite, LiveDifference, LiveRuleName, VersionSpan } from './live-difference.ts';
import type { PlanNote } from './plan.ts';
import type { Cause } from './source.ts';

/** Fields of a rule that the service keeps in another form than they were sent; they do the same and are no drift. */
export interface NormalisedRule {
  readonly rule: string;
  /** `before`: as it was sent; `after`: as the service holds it. */
  readonly fields: readonly FieldChange[];
}

/** What happened to a step. */
export type Outcome =
  | {
      readonly kind: 'done';
      readonly step: string;
      readonly version: string | null;
      readonly writes: number;
      readonly normalised?: readonly NormalisedRule[];
    }
  | {
      readonly kind: 'skipped';
      readonly step: string;
      readonly reason: string;
      /** Writes that a dry run left to be made; absent where there is nothing to do. */
      readonly toWrite?: number;
    }
  | {
      readonly kind: 'refused';
      readonly step: string;
      readonly code: ErrorCode;
      readonly message: string;
      readonly hint?: string | undefined;
      /** Writes of this step that did land before it was refused. */
      readonly writes: number;
      /** Stale: what changed live since the plan was made. */
      readonly difference?: LiveDifference;
    }
  | {
      readonly kind: 'failed';
      readonly step: string;
      readonly code: ErrorCode;
      readonly message: string;
      readonly hint?: string | undefined;
      /** Writes of this step that did land before it failed. */
      readonly writes: number;
      /** One more write was sent, and it is not known whether it landed, or will. */
      readonly inDoubt?: true;
      /** What the service refused, rule by rule. */
      readonly refusals?: readonly ServiceRefusal[];
    }
  | {
      readonly kind: 'conflict';
      readonly step: string;
      readonly message: string;
      readonly hint: string;
      /** Writes of this step that did land, the one that met the conflict included when it did. */
      readonly writes: number;
      /** One more write was sent, and it is not known whether it landed, or will. */
      readonly inDoubt?: true;
      /** All writes of the step landed, and what somebody else wrote beside is known. */
      readonly allLanded?: true;
      /** What somebody else wrote meanwhile, oldest first. */
      readonly others?: readonly ForeignWrite[];
      /** Versions meanwhile that could not be read: whose they are, and what they changed, is not known. */
      readonly unread?: readonly VersionSpan[];
      /** Rules of others that this step took along and brought back, by their ids now. */
      readonly broughtBack?: readonly LiveRuleName[];
    }
  | { readonly kind: 'not-reached'; readonly step: string; readonly reason: string };

/** Whether a step came to a good end: it was done, or rightly skipped. */
export function isAchieved({ kind }: Pick<Outcome, 'kind'>): boolean {
  return kind === 'done' || kind === 'skipped';
}

/** Whether a write of the step may have landed, or may still land, and nobody knows. */
export function isInDoubt(outcome: Outcome): boolean {
  return 'inDoubt' in outcome;
}

/** What came of putting back what a failed run had written. */
export interface Rollback {
  /**
   * `as-before`: live is what it was before the run, ids included. `new-ids`: it says the same, but what had
   * been deleted has a new id. `partial`: something is not as it was; the outcomes say what.
   */
  readonly result: 'as-before' | 'new-ids' | 'partial';
  /** For each ruleset that was put back or could not be; those that nothing had changed are left out. */
  readonly outcomes: readonly Outcome[];
  /** What came back under a new id, and what was re-pointed to it. */
  readonly notes: readonly PlanNote[];
}

/** One error of the service, led back to the rule that it is about. */
export interface ServiceRefusal {
  /** The service's text. */
  readonly message: string;
  readonly code?: number;
  /** JSON Pointer into the body that was sent. */
  readonly pointer?: string;
  /** `ref` of the rule; absent when it is about the whole ruleset, or not known. */
  readonly rule?: string;
  /** Of a rule the `ref` of which tells nothing. */
  readonly description?: string;
  readonly cause?: Cause | undefined;
}
