import type { ErrorCode } from './error-code.ts';
import type { LiveDifference } from './live-difference.ts';
import type { ServiceRefusal } from './outcome.ts';

/** A part of a step that no dry run can tell about yet, and why. */
export interface Unchecked {
  /** `ref` of the rule; absent when it is about the whole ruleset. */
  readonly rule?: string;
  readonly reason: string;
}

/**
 * Why a step was not checked: the service did not prove that it knows dry runs; the credentials may not
 * write; it needs what the plan has yet to make or take away; the run was interrupted, or another dry run
 * turned out to write.
 */
export type NotCheckedCode = 'unproven' | 'forbidden' | 'depends' | 'interrupted' | 'stopped';

/** What the service said about a step before anything was written. */
export type StepPreflight =
  | {
      readonly kind: 'passed';
      readonly step: string;
      readonly unchecked: readonly Unchecked[];
      /** Steps that have to go first, since the quota has no room for this one before. */
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
  /** Live moved since the plan was made. */
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
  /** What was to be a dry run was answered with a result: it has written. */
  | { readonly kind: 'wrote'; readonly step: string; readonly message: string; readonly hint: string };

/** What came of checking all writes of a plan with `dry_run` before the first one. */
export interface Preflight {
  /** `off`: nobody wanted it. `not-needed`: the run is one request, which the service does whole or refuses. */
  readonly kind: 'off' | 'not-needed' | 'done';
  /** In the order of the plan; empty unless done. */
  readonly steps: readonly StepPreflight[];
}

/** No preflight. */
export const NO_PREFLIGHT: Preflight = { kind: 'off', steps: [] };

/** No preflight where the first write is the last one. */
export const UNNEEDED_PREFLIGHT: Preflight = { kind: 'not-needed', steps: [] };
