import type { RetirementPlan } from '../../model/retirement.ts';
import type { ApplyEvent, Access } from '../write/run.ts';
import type { Journal } from '../journal/journal-entry.ts';

/** A retirement to be carried out. */
export interface RetirementRun {
  readonly plan: RetirementPlan;
  readonly access: Access;
  readonly journal: Journal;
  readonly report: (event: ApplyEvent) => void;
  /** Stops the run between two deletions. */
  readonly signal: AbortSignal | undefined;
}
