import type { FieldChange } from './change.ts';
import type { ForeignWrite, LiveDifference, VersionSpan } from './live-difference.ts';
import type { ServiceRefusal } from './service-refusal.ts';

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
  | { readonly kind: 'skipped'; readonly step: string; readonly reason: string }
  | {
      readonly kind: 'refused';
      readonly step: string;
      readonly code: string;
      readonly message: string;
      readonly hint?: string;
      /** Writes of this step that did land before it was refused. */
      readonly writes: number;
      /** Stale: what changed live since the plan was made. */
      readonly difference?: LiveDifference;
    }
  | {
      readonly kind: 'failed';
      readonly step: string;
      readonly code: string;
      readonly message: string;
      readonly hint?: string;
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
      /** What somebody else wrote meanwhile, oldest first. */
      readonly others?: readonly ForeignWrite[];
      /** Versions meanwhile that could not be read: whose they are, and what they changed, is not known. */
      readonly unread?: readonly VersionSpan[];
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
