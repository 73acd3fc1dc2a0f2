/** How far a run got with a step before it crashed. */
export interface UnfinishedStep {
  readonly step: string;
  /** `unknown`: a write was in hand, and live could not be read to find out. */
  readonly state: 'done' | 'partly' | 'not-begun' | 'unknown';
  /** Writes that landed, of all that it takes. */
  readonly landed: number;
  readonly writes: number;
}

/** A run of apply that has no end in its journal: it crashed, or is still running. */
export interface UnfinishedRun {
  /** When it began; milliseconds since 1970. */
  readonly at: number;
  /** `rollback`: it was putting back what it had written before it failed. */
  readonly purpose: 'apply' | 'rollback';
  /** Digest of its plan. */
  readonly plan: string;
  readonly steps: readonly UnfinishedStep[];
}
