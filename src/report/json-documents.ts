import type { Diagnostic } from '../model/diagnostic.ts';
import { sortDiagnostics } from '../model/diagnostic.ts';
import type { Drift } from '../model/drift.ts';
import type { ErrorFacts, RulewrightError } from '../model/error.ts';
import { errorFacts } from '../model/error.ts';
import type { Outcome, Rollback } from '../model/outcome.ts';
import type { PlanDifference } from '../model/plan-difference.ts';
import type { Plan, PlanNote, PlanSummary } from '../model/plan.ts';
import type { GuardFinding } from '../model/guard.ts';
import type { Preflight } from '../model/preflight.ts';
import { NO_PREFLIGHT } from '../model/preflight.ts';
import type { Unconfirmed } from '../model/unconfirmed.ts';
import { changesAnything, failedScopes } from '../model/scope-plans.ts';
import { leftOut } from './summary.ts';

/** Answer of `validate`, and of every command that the files of the project stop. */
export interface ValidationDocument {
  readonly kind: 'validation';
  readonly formatVersion: 1;
  readonly valid: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** The document of what was found in files. */
export function validationDocument(findings: {
  readonly valid: boolean;
  readonly diagnostics: readonly Diagnostic[];
}): ValidationDocument {
  return {
    kind: 'validation',
    formatVersion: 1,
    valid: findings.valid,
    diagnostics: sortDiagnostics(findings.diagnostics),
  };
}

/**
 * The document of `drift`: whether live differs from the files anywhere that could be looked at, each rule that differs, those first of
 * which live protects less, and the plan that would undo it.
 */
export function driftDocument({ plan, changes }: Drift) {
  return { kind: 'drift', formatVersion: 1, drifted: changesAnything(plan), changes, plan };
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
  readonly failedScopes: readonly Extract<Plan['scopes'][number], { readonly kind: 'failed' }>[];
}

/** The document of what happened to the steps of a plan. */
export function outcomesDocument(
  plan: Plan,
  run: Pick<
    OutcomesDocument,
    'result' | 'dryRun' | 'outcomes' | 'refusals' | 'differences' | 'unconfirmed'
  > & {
    readonly preflight?: Preflight;
    readonly rollback?: Rollback | null;
  },
): OutcomesDocument {
  const left = leftOut(plan);
  return {
    kind: 'outcomes',
    formatVersion: 1,
    result: run.result,
    dryRun: run.dryRun,
    plan: { digest: plan.digest, summary: plan.summary },
    outcomes: run.outcomes,
    preflight: run.preflight ?? NO_PREFLIGHT,
    rollback: run.rollback ?? undefined,
    leftOut: left.length === 0 ? undefined : left,
    unconfirmed: run.unconfirmed,
    refusals: run.refusals,
    differences: run.differences,
    failedScopes: failedScopes(plan.scopes),
  };
}

/** The document of a plan and of what the service says to its writes. */
export function checkedPlanDocument(plan: Plan, preflight: Preflight) {
  return { kind: 'checked-plan', formatVersion: 1, plan, preflight };
}

/** Answer of a command that an error stopped. */
export interface ErrorDocument {
  readonly kind: 'error';
  readonly formatVersion: 1;
  readonly error: ErrorFacts;
}

/** The document of an error. */
export function errorDocument(error: Pick<RulewrightError, keyof ErrorFacts>): ErrorDocument {
  return { kind: 'error', formatVersion: 1, error: errorFacts(error) };
}
