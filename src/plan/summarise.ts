import type { PlanSummary, ScopePlan, Step } from '../model/plan.ts';

/** Counts of what a plan changes. A rule counts once; a patched rule that moves counts as patched. */
export function summarise(scopes: readonly ScopePlan[]): PlanSummary {
  const steps = scopes.flatMap((scope) => (scope.kind === 'planned' ? scope.steps : []));
  const rules = { add: 0, patch: 0, move: 0, delete: 0 };
  const rulesets = { create: 0, update: 0, delete: 0 };
  for (const step of steps) {
    rulesets[step.operation] += 1;
    for (const change of step.changes) {
      rules[change.kind] += 1;
    }
  }
  return { rules, rulesets };
}

/** All steps of a plan, scope by scope. */
export function allSteps(scopes: readonly ScopePlan[]): readonly Step[] {
  return scopes.flatMap((scope) => (scope.kind === 'planned' ? scope.steps : []));
}
