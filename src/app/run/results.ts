import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Outcome, Rollback } from '../../model/outcome.ts';
import type { Plan } from '../../model/plan.ts';
import type { Preflight } from '../../model/preflight.ts';
import type { Safety } from '../../model/settings.ts';

/**
 * Findings about the files, and the files by path relative to the project: their texts for code frames, null where nothing is said
 * of them.
 */
export interface FileFindings {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string | null>;
}

/** How many things a valid project declares. */
export interface ProjectCounts {
  readonly files: number;
  readonly scopes: number;
  readonly rulesets: number;
  readonly rules: number;
}

/** Answer of `validate`. */
export type ValidateResult =
  | ({ readonly kind: 'valid'; readonly counts: ProjectCounts } & FileFindings)
  | ({ readonly kind: 'invalid' } & FileFindings);

/** Answer of `plan` and of `drift`. */
export type PlanResult =
  | ({
      readonly kind: 'planned';
      readonly plan: Plan;
      /** What the guards judged it by: the files, or the revision that the run took them from. */
      readonly safety: Safety;
      readonly requests: number;
    } & FileFindings)
  | ({ readonly kind: 'invalid' } & FileFindings);

/** Answer of `apply`: what happened to every step of the plan. */
export interface ApplyResult {
  readonly kind: 'nothing-to-do' | 'done' | 'partial' | 'failed' | 'refused';
  readonly outcomes: readonly Outcome[];
  /** What the service said to the writes before the first one. */
  readonly preflight: Preflight;
  /** What was put back after a failure; null when nothing was to be. */
  readonly rollback: Rollback | null;
  /** Requests sent, reads and writes. */
  readonly requests: number;
}
