import type { FailedScope, Plan, PlannedScope, ScopePlan, Step } from './plan.ts';

/** The scopes that could be planned. */
export function plannedScopes(scopes: readonly ScopePlan[]): readonly PlannedScope[] {
  return scopes.filter((scope) => scope.kind === 'planned');
}

/** The scopes in which something is to change. */
export function changingScopes(scopes: readonly ScopePlan[]): readonly PlannedScope[] {
  return plannedScopes(scopes).filter(({ steps }) => steps.length > 0);
}

/** Whether a plan changes anything. */
export function changesAnything({ scopes }: Pick<Plan, 'scopes'>): boolean {
  return scopes.some((scope) => scope.kind === 'planned' && scope.steps.length > 0);
}

/** The scopes that could not. */
export function failedScopes(scopes: readonly ScopePlan[]): readonly FailedScope[] {
  return scopes.filter((scope) => scope.kind === 'failed');
}

/** All steps of a plan, scope by scope. */
export function allSteps(scopes: readonly ScopePlan[]): readonly Step[] {
  return plannedScopes(scopes).flatMap(({ steps }) => steps);
}
