import type { Outcome } from '../../model/index.ts';

/** Error code of a step that misdescribes live: its plan was not made from this live state, so nothing in it is trusted. */
export const PLAN_MISMATCH = 'apply/plan-mismatch';

/** Maximum number of mismatches that a message lists. */
const MOST_MISMATCHES = 10;

/** Returns the outcome of a step that misdescribes live, or a part of it that `what` names; it has written nothing. */
export function mismatchOutcome(step: string, mismatches: readonly string[], what: string): Outcome {
  const more = mismatches.length > MOST_MISMATCHES ? [`and ${mismatches.length - MOST_MISMATCHES} more`] : [];
  const told = [...mismatches.slice(0, MOST_MISMATCHES), ...more].join('; ');
  return {
    kind: 'refused',
    step,
    code: PLAN_MISMATCH,
    message: `the plan does not describe ${what}: ${told}`,
    hint: 'the plan file was edited, or the version cache was wrong (it is now discarded). Plan again and review the new plan',
    writes: 0,
  };
}
