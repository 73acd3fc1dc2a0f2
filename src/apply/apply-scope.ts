import type { Outcome } from '../model/outcome.ts';
import type { PlannedScope } from '../model/plan.ts';
import { applyStep } from './apply-step.ts';
import type { ScopeRun } from './context.ts';

/**
 * Carries out the steps of one scope in order. A refused step stops only what depends on it; a failed
 * step or a conflict stops the scope, since nobody knows then why the service did not do as asked.
 */
export async function applyScope(plan: PlannedScope, run: ScopeRun): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const undone = new Set<string>();
  let stopped: string | null = null;
  for (const step of plan.steps) {
    const blocker = step.after.find((id) => undone.has(id));
    const reason: string | null =
      run.signal?.aborted === true
        ? 'the run was interrupted'
        : (stopped ?? (blocker === undefined ? null : `it needs ${blocker}, which was not done`));
    const outcome: Outcome =
      reason === null ? await applyStep(step, run) : { kind: 'not-reached', step: step.id, reason };
    outcomes.push(outcome);
    run.report({ kind: 'step-ended', outcome });
    if (outcome.kind !== 'done' && outcome.kind !== 'skipped') {
      undone.add(step.id);
    }
    if (outcome.kind === 'failed' || outcome.kind === 'conflict') {
      stopped = `${step.id} ${outcome.kind === 'failed' ? 'failed' : 'met a conflict'}`;
    }
  }
  return outcomes;
}
