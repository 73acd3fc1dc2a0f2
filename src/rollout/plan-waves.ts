import type { Plan, PlannedScope, PlanWave, ScopePlan, Step } from '../model/index.ts';
import { changingScopes, plannedScopes, scopeLabel } from '../model/index.ts';

/** A wave, and what a plan does in it: its scopes that change, those of accounts with the part of their steps that it has. */
export interface WavePart {
  readonly wave: PlanWave;
  readonly scopes: readonly PlannedScope[];
}

/** Divides a plan into its waves, in their order. A plan without waves has none. */
export function partsOf({ rollout, scopes }: Pick<Plan, 'rollout' | 'scopes'>): readonly WavePart[] {
  const changing = new Map(changingScopes(scopes).map((plan) => [scopeLabel(plan.scope), plan]));
  return (rollout?.waves ?? []).map((wave) => ({
    wave,
    scopes: wave.scopes.flatMap((label) => {
      const plan = changing.get(label);
      const part = plan === undefined ? null : partIn(wave, plan);
      return part === null ? [] : [part];
    }),
  }));
}

function partIn({ kind }: PlanWave, plan: PlannedScope): PlannedScope | null {
  return kind === 'accounts-before' || kind === 'accounts-after'
    ? partOfAccount(plan, kind === 'accounts-after')
    : plan;
}

/**
 * Returns the steps of an account before its zones, or after them; null when there are none. What deletes or weakens comes after, with all that waits
 * for it: a rule that moves between account and zones is then never in neither.
 */
function partOfAccount(plan: PlannedScope, isAfter: boolean): PlannedScope | null {
  const late = new Set(plan.steps.flatMap((step) => (isLate(step) ? [step.id] : [])));
  for (let size = -1; size !== late.size;) {
    size = late.size;
    plan.steps.forEach(({ id, after }) => (after.some((one) => late.has(one)) ? late.add(id) : undefined));
  }
  const { objects: all = [], ...rest } = plan;
  const steps = plan.steps.filter(({ id }) => late.has(id) === isAfter);
  const objects = all.filter(({ turn }) => (turn === 'last') === isAfter);
  return steps.length + objects.length === 0
    ? null
    : { ...rest, steps, ...(objects.length === 0 ? {} : { objects }) };
}

function isLate({ operation, changes }: Step): boolean {
  return operation === 'delete' || changes.some(({ protection }) => protection.kind === 'weakening');
}

/** Returns how many zones of a plan some accounts have, given by their labels. */
export function reachOf(accounts: readonly string[], scopes: readonly ScopePlan[]): number {
  const planned = plannedScopes(scopes).map(({ scope }) => scope);
  const ids = new Set(
    planned.flatMap((scope) =>
      scope.kind === 'account' && accounts.includes(scopeLabel(scope)) ? [scope.id] : [],
    ),
  );
  return planned.filter(({ kind, accountId }) => kind === 'zone' && ids.has(accountId)).length;
}
