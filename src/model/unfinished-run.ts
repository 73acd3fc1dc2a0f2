/** How far a run got with a step before it crashed. */
export interface UnfinishedStep {
  readonly step: string;
  /** `in-doubt`: a write was sent that has no effect yet and may still have one. `unknown`: live does not tell whether a write took effect. */
  readonly state: 'done' | 'partly' | 'not-begun' | 'in-doubt' | 'unknown';
  /** Number of writes that landed, of all the `writes` of the step. */
  readonly landed: number;
  readonly writes: number;
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
