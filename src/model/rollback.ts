import type { Outcome } from './outcome.ts';
import type { PlanNote } from './plan.ts';

/** What came of putting back what a failed run had written. */
export interface Rollback {
  /**
   * `as-before`: live is what it was before the run, ids included. `new-ids`: it says the same, but what had
   * been deleted has a new id. `partial`: something is not as it was; the outcomes say what.
   */
  readonly result: 'as-before' | 'new-ids' | 'partial';
  /** For each ruleset that was put back or could not be; those that nothing had changed are left out. */
  readonly outcomes: readonly Outcome[];
  /** What came back under a new id, and what was re-pointed to it. */
  readonly notes: readonly PlanNote[];
}
