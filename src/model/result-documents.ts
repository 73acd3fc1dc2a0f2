import type { Diagnostic } from './diagnostic.ts';
import type { ErrorFacts } from './error.ts';
import type { GuardFinding } from './guard.ts';
import type { Outcome, Rollback } from './outcome.ts';
import type { PlanDifference } from './plan-difference.ts';
import type { FailedScope, PlanNote, PlanSummary } from './plan.ts';
import type { Preflight } from './preflight.ts';
import type { Unconfirmed } from './unconfirmed.ts';

/** Answer of `validate`, and of every command that the files of the project stop. */
export interface ValidationDocument {
  readonly kind: 'validation';
  readonly formatVersion: 1;
  readonly valid: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Answer of `apply`. */
export interface OutcomesDocument {
  readonly kind: 'outcomes';
  readonly formatVersion: 1;
  readonly result: 'nothing-to-do' | 'done' | 'partial' | 'failed' | 'refused';
  readonly dryRun: boolean;
  /** Digest and counts of the plan that was carried out. */
  readonly plan: { readonly digest: string; readonly summary: PlanSummary };
  readonly outcomes: readonly Outcome[];
  /** What the service said to the writes before the first one. */
  readonly preflight: Preflight;
  /** What was put back after a failure; absent when nothing was to be. */
  readonly rollback?: Rollback | undefined;
  /** What `--only-strengthening` left undone, and why; absent when nothing. */
  readonly leftOut?: readonly PlanNote[] | undefined;
  /** Why nobody agreed to it; then nothing was written. Absent unless `result` is `refused` for that. */
  readonly unconfirmed?: Unconfirmed | undefined;
  /** What guards refused; then nothing was written. */
  readonly refusals: readonly GuardFinding[];
  /** How the plan differs from the one that was reviewed; then nothing was written. */
  readonly differences?: readonly PlanDifference[] | undefined;
  /** Scopes that could not be planned, and why. */
  readonly failedScopes: readonly FailedScope[];
}

/** Answer of a command that an error stopped. */
export interface ErrorDocument {
  readonly kind: 'error';
  readonly formatVersion: 1;
  readonly error: ErrorFacts;
}
