import type { ErrorCode } from './error-code.ts';
import type { LiveDifference } from './live-difference.ts';
import type { ServiceRefusal } from './outcome.ts';

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
