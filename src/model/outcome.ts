import type { ErrorCode } from './error.ts';
import type { FieldChange } from './field-change.ts';
import type { ConcurrentWrite, LiveDifference, LiveRuleName, VersionSpan } from './drift.ts';
import type { PlanNote } from './plan.ts';
import type { Cause } from './source.ts';

/** Fields that the service stores in another form than they were sent; they mean the same and are no drift. */
export interface NormalisedRule {
  readonly rule: string;
  /** `before`: as it was sent; `after`: as the service holds it. */
  readonly fields: readonly FieldChange[];
}

/** The outcome of a step. */
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
      /** Number of writes that a dry run left out; absent when there is nothing to write. */
      readonly toWrite?: number;
    }
  | {
      readonly kind: 'refused';
      readonly step: string;
      readonly code: ErrorCode;
      readonly message: string;
      readonly hint?: string | undefined;
      /** Number of writes of this step that landed before it was refused. */
      readonly writes: number;
      /** For `apply/stale`: what changed live since the plan was made. */
      readonly difference?: LiveDifference;
    }
  | {
      readonly kind: 'failed';
      readonly step: string;
      readonly code: ErrorCode;
      readonly message: string;
      readonly hint?: string | undefined;
      /** Number of writes of this step that landed before it failed. */
      readonly writes: number;
      /** One more write was sent, and it is not known whether it landed or will land. */
      readonly inDoubt?: true;
      /** The errors of the service, each assigned to its rule if possible. */
      readonly refusals?: readonly ServiceRefusal[];
    }
  | {
      readonly kind: 'conflict';
      readonly step: string;
      readonly message: string;
      readonly hint: string;
      /** Number of writes of this step that landed, including the one that met the conflict if it landed. */
      readonly writes: number;
      /** One more write was sent, and it is not known whether it landed or will land. */
      readonly inDoubt?: true;
      /** All writes of the step landed, and all concurrent writes of others are known. */
      readonly allLanded?: true;
      /** Concurrent writes of others, oldest first. */
      readonly others?: readonly ConcurrentWrite[];
      /** Versions from the meantime that could not be read: who wrote them, and what they changed, is not known. */
      readonly unread?: readonly VersionSpan[];
      /** Rules of others that this step overwrote and restored, with their current ids. */
      readonly broughtBack?: readonly LiveRuleName[];
    }
  | { readonly kind: 'not-reached'; readonly step: string; readonly reason: string };

/** How a run ended. `partial`: not all was done, and something is written; `failed`, `refused`: nothing is. */
export type RunResult = 'nothing-to-do' | 'done' | 'partial' | 'failed' | 'refused';

/** Whether a step achieved its aim: it was done, or rightly skipped. */
export function isAchieved({ kind }: Pick<Outcome, 'kind'>): boolean {
  return kind === 'done' || kind === 'skipped';
}

/** Whether a step was begun, or judged, and was not done; one that was not reached is no failure. */
export function isFailure({ kind }: Pick<Outcome, 'kind'>): boolean {
  return kind === 'refused' || kind === 'failed' || kind === 'conflict';
}

/** Whether the step has a write of which nobody knows whether it landed or still will. */
export function isInDoubt(outcome: Outcome): boolean {
  return 'inDoubt' in outcome;
}

/** The result of putting back what a failed run had written. */
export interface Rollback {
  /**
   * `as-before`: live is what it was before the run, ids included. `new-ids`: live says the same, but what had been deleted has a new id.
   * `partial`: something is not as before; the outcomes say what.
   */
  readonly result: 'as-before' | 'new-ids' | 'partial';
  /** One outcome for each ruleset that was or should have been put back; unchanged rulesets are left out. */
  readonly outcomes: readonly Outcome[];
  /** Notes on what came back under a new id, and on references that were updated to it. */
  readonly notes: readonly PlanNote[];
}

/** One error of the service, assigned to the rule that it is about. */
export interface ServiceRefusal {
  /** The service's text. */
  readonly message: string;
  readonly code?: number;
  /** JSON Pointer into the request body. */
  readonly pointer?: string;
  /** `ref` of the rule; absent when the error is about the whole ruleset, or the rule is not known. */
  readonly rule?: string;
  /** Description of the rule; present when its `ref` is not telling. */
  readonly description?: string;
  readonly cause?: Cause | undefined;
}

/** A part of a step that a dry run cannot check yet, and why. */
export interface Unchecked {
  /** `ref` of the rule; absent when the whole ruleset is concerned. */
  readonly rule?: string;
  readonly reason: string;
}

/**
 * Why a step was not checked: the service did not prove that it knows dry runs (`unproven`); the credentials may not write (`forbidden`); the
 * step needs what the plan has yet to create or remove (`depends`); the run was interrupted; or another dry run turned out to write
 * (`stopped`).
 */
export type NotCheckedCode = 'unproven' | 'forbidden' | 'depends' | 'interrupted' | 'stopped';

/** The result of checking a step before anything was written. */
export type StepPreflight =
  | {
      readonly kind: 'passed';
      readonly step: string;
      readonly unchecked: readonly Unchecked[];
      /** Ids of steps that must go first, since the quota has no room for this one before them. */
      readonly after?: readonly string[];
    }
  | {
      readonly kind: 'not-checked';
      readonly step: string;
      readonly code: NotCheckedCode;
      readonly reason: string;
      readonly hint?: string | undefined;
    }
  | {
      readonly kind: 'refused';
      readonly step: string;
      readonly refusals: readonly ServiceRefusal[];
      readonly unchecked: readonly Unchecked[];
    }
  /** Live changed since the plan was made. */
  | {
      readonly kind: 'stale';
      readonly step: string;
      readonly message: string;
      readonly difference: LiveDifference;
    }
  /** The service could not be asked. */
  | {
      readonly kind: 'failed';
      readonly step: string;
      readonly code: ErrorCode;
      readonly message: string;
      readonly hint?: string | undefined;
    }
  /** The service answered the dry run with a result: it has written. */
  | { readonly kind: 'wrote'; readonly step: string; readonly message: string; readonly hint: string };

/** The result of checking all writes of a plan with `dry_run` before the first one. */
export interface Preflight {
  /** `off`: not wanted. `not-needed`: the run is a single request, which the service carries out as a whole or refuses. */
  readonly kind: 'off' | 'not-needed' | 'done';
  /** In plan order; empty unless `done`. */
  readonly steps: readonly StepPreflight[];
}

/** The preflight of a run that wants none. */
export const NO_PREFLIGHT: Preflight = { kind: 'off', steps: [] };

/** The preflight of a run whose first write is also its last. */
export const UNNEEDED_PREFLIGHT: Preflight = { kind: 'not-needed', steps: [] };

/** How far a run got with a step before it crashed. */
export interface UnfinishedStep {
  readonly step: string;
  /** `in-doubt`: a write was sent that has no effect yet and may still have one. `unknown`: live does not tell whether a write took effect. */
  readonly state: 'done' | 'partly' | 'not-begun' | 'in-doubt' | 'unknown';
  /** Number of writes that landed, of all the `writes` of the step. */
  readonly landed: number;
  readonly writes: number;
}

/** A ruleset that a failed run wrote and could not put back. */
export interface NotPutBack {
  readonly step: string;
  /** The command that puts it back; null where there was none before the run. */
  readonly command: string | null;
}

/** A run that wrote rulesets and has no end in its journal: it crashed or is still running. */
export interface UnfinishedRun {
  /** When the run began, in milliseconds since 1970. */
  readonly at: number;
  /** `rollback`: it was undoing its writes after a failure. `waf`: it took a step of the WAF migration. */
  readonly purpose: 'apply' | 'rollback' | 'waf';
  /** Digest of its plan. */
  readonly plan: string;
  readonly steps: readonly UnfinishedStep[];
}
