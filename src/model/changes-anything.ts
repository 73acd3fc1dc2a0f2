import type { Plan } from './plan.ts';

/** Whether a plan changes anything. */
export function changesAnything({ scopes }: Pick<Plan, 'scopes'>): boolean {
  return scopes.some((scope) => scope.kind === 'planned' && scope.steps.length > 0);
}
