/** How far a run got with a step before it crashed. */
export interface UnfinishedStep {
  readonly step: string;
  /** `in-doubt`: a write was sent, has no effect yet, and may still have one. `unknown`: live does not tell whether it took effect. */
  readonly state: 'done' | 'partly' | 'not-begun' | 'in-doubt' | 'unknown';
  /** Writes that landed, of all that it takes. */
  readonly landed: number;
  readonly writes: number;
}

/** A run that wrote rulesets and has no end in its journal: it crashed, or is still running. */
export interface UnfinishedRun {
  /** When it began; milliseconds since 1970. */
  readonly at: number;
  /** `rollback`: it was putting back what it had written before it failed. `waf`: it took a step of the WAF migration. */
  readonly purpose: 'apply' | 'rollback' | 'waf';
  /** Digest of its plan. */
  readonly plan: string;
  readonly steps: readonly UnfinishedStep[];
}
