import type {
  ChangeAuthors,
  Diagnostic,
  Outcome,
  Rollback,
  RunResult,
  Preflight,
  Plan,
  Safety,
  WaveResult,
} from '../../model/index.ts';

/**
 * Findings about the files, and the texts of the files for code frames, by path relative to the project; null for a file without
 * findings.
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
  readonly lists: number;
}

/** Answer of `validate`. */
export type ValidateResult =
  | ({
      readonly kind: 'valid';
      readonly counts: ProjectCounts;
      /** Codes of findings that `lint` switches off, which say nothing here. */
      readonly switchedOff: readonly string[];
    } & FileFindings)
  | ({ readonly kind: 'invalid' } & FileFindings);

/** Answer of `plan` and of `drift`. */
export type PlanResult =
  | ({
      readonly kind: 'planned';
      readonly plan: Plan;
      /** The settings of the guards for this plan: those of the files, or of the revision that the run took them from. */
      readonly safety: Safety;
      /** Whether the files want examples of recorded requests in plans. */
      readonly trafficExamples: boolean;
      readonly requests: number;
      /** Who made the differences; for drift that asks for it. */
      readonly authors?: ChangeAuthors;
    } & FileFindings)
  | ({ readonly kind: 'invalid' } & FileFindings);

/** Answer of `apply`: what happened to every step of the plan. */
export interface ApplyResult {
  readonly kind: RunResult;
  readonly outcomes: readonly Outcome[];
  /** The result of having the service check the writes before the first one. */
  readonly preflight: Preflight;
  /** What was undone after a failure; null if nothing had to be. */
  readonly rollback: Rollback | null;
  /** What became of the waves that the run was about; absent for a plan without waves. */
  readonly waves?: readonly WaveResult[];
  /** The wave to begin with, where the run was about one whose turn it is not. */
  readonly firstWave?: number;
  /** Requests sent, reads and writes. */
  readonly requests: number;
}
