import type { PlanSummary, ScopePlan, Step } from '../../model/plan.ts';
import { plannedScopes } from '../../model/scope-plans.ts';

/** Counts of what a plan changes. A rule counts once; a patched rule that moves counts as patched. */
export function summarise(scopes: readonly ScopePlan[]): PlanSummary {
  const rules = { add: 0, patch: 0, move: 0, delete: 0 };
  const rulesets = { create: 0, update: 0, delete: 0 };
  for (const step of allSteps(scopes)) {
    rulesets[step.operation] += 1;
    for (const change of step.changes) {
      rules[change.kind] += 1;
    }
  }
  return { rules, rulesets };
}

/** The counts of several plans together. */
export function addSummaries(summaries: readonly PlanSummary[]): PlanSummary {
  const sum = (count: (one: PlanSummary) => number): number =>
    summaries.reduce((all, one) => all + count(one), 0);
  return {
    rules: {
      add: sum(({ rules }) => rules.add),
      patch: sum(({ rules }) => rules.patch),
      move: sum(({ rules }) => rules.move),
      delete: sum(({ rules }) => rules.delete),
    },
    rulesets: {
      create: sum(({ rulesets }) => rulesets.create),
      update: sum(({ rulesets }) => rulesets.update),
      delete: sum(({ rulesets }) => rulesets.delete),
    },
  };
}

/** All steps of a plan, scope by scope. */
export function allSteps(scopes: readonly ScopePlan[]): readonly Step[] {
  return plannedScopes(scopes).flatMap(({ steps }) => steps);
}
