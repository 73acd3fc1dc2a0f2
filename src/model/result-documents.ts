import type { Diagnostic } from './diagnostic.ts';
import type { ErrorFacts } from './error.ts';
import type { GuardFinding } from './guard.ts';
import type { Outcome, Rollback, RunResult } from './outcome.ts';
import type { PlanDifference } from './plan-difference.ts';
import type { FailedScope, PlanNote, PlanSummary } from './plan.ts';
import type { Preflight } from './preflight.ts';

/** The JSON output of `validate`, and of every command that stops because the project's files are invalid. */
export interface ValidationDocument {
  readonly kind: 'validation';
  readonly formatVersion: 1;
  readonly valid: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** The JSON output of `apply`. */
export interface OutcomesDocument {
  readonly kind: 'outcomes';
  readonly formatVersion: 1;
  readonly result: RunResult;
  readonly dryRun: boolean;
  /** Digest and summary of the plan that was carried out, and the number of its scopes, which older documents lack. */
  readonly plan: { readonly digest: string; readonly summary: PlanSummary; readonly scopes?: number };
  readonly outcomes: readonly Outcome[];
  /** The result of checking the writes before the first one. */
  readonly preflight: Preflight;
  /** What was put back after a failure; absent when nothing was to be put back. */
  readonly rollback?: Rollback | undefined;
  /** What `--only-strengthening` left out, and why; absent when nothing. */
  readonly leftOut?: readonly PlanNote[] | undefined;
  /** What guards refused; then nothing was written. */
  readonly refusals: readonly GuardFinding[];
  /** How the plan differs from the one that was reviewed; then nothing was written. */
  readonly differences?: readonly PlanDifference[] | undefined;
  /** Scopes that could not be planned, and why. */
  readonly failedScopes: readonly FailedScope[];
}

/** The JSON output of a command that an error stopped. */
export interface ErrorDocument {
  readonly kind: 'error';
  readonly formatVersion: 1;
  readonly error: ErrorFacts;
}
