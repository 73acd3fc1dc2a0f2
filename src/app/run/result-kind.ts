import type { PlanOutcome } from '../../apply/index.ts';
import type { RunResult } from '../../model/index.ts';
import { isAchieved, isInDoubt } from '../../model/index.ts';

interface FinishedRun extends Pick<PlanOutcome, 'outcomes'>, Partial<Pick<PlanOutcome, 'rollback'>> {
  /** Whether scopes could not be planned. */
  readonly failedScopes?: boolean;
}

/** Returns how a run ended, from the outcomes of its steps. */
export function resultKind({ outcomes, rollback = null, failedScopes = false }: FinishedRun): RunResult {
  const undone = outcomes.filter((outcome) => !isAchieved(outcome));
  if (undone.length === 0 && !failedScopes) {
    return 'done';
  }
  // Writes that were undone completely do not count as writes; writes in doubt do.
  const wrote =
    rollback === null
      ? outcomes.some((outcome) => isInDoubt(outcome) || ('writes' in outcome && outcome.writes > 0))
      : rollback.result !== 'as-before';
  if (wrote) {
    return 'partial';
  }
  const refusedOnly =
    !failedScopes && undone.every((outcome) => outcome.kind === 'refused' || outcome.kind === 'not-reached');
  return refusedOnly ? 'refused' : 'failed';
}
