import type { PlannedScope, ScopePlan } from '../model/plan.ts';
import { groupBy } from '../model/group-by.ts';
import { counted } from '../model/count.ts';
import { planSimilarityKey } from './similarity-key.ts';
import { shownNotes } from './notes.ts';
import type { Detail } from './theme.ts';

/** Plans that are shown, in their order, each with the others that say the same of their scopes. */
export type AlikePlans = ReadonlyMap<PlannedScope, readonly PlannedScope[]>;

/** What is told of a scope beside its plan; it has to be equal too. */
type Beside = (plan: PlannedScope) => unknown;

/**
 * The scopes that something is to be said of; those that change alike together with the first of them. Takes one scope
 * after the other, and keeps of each no more than a digest.
 */
export function alikePlans(
  plans: readonly ScopePlan[],
  {
    detail = 'summed-up',
    beside,
  }: { readonly detail?: Detail | undefined; readonly beside?: Beside | undefined } = {},
): AlikePlans {
  const telling = plans.filter((plan) => tellsAnything(plan, detail));
  const groups = groupBy(telling, (plan) =>
    detail === 'each' ? plan : planSimilarityKey(plan, beside?.(plan)),
  );
  return new Map(
    [...groups.values()].flatMap(([first, ...others]) => (first === undefined ? [] : [[first, others]])),
  );
}

/** A plan that is shown, and the scopes that it is told for. */
export interface ShownPlan {
  readonly plan: PlannedScope;
  readonly others: readonly PlannedScope[];
}

/** The same as a list. */
export function shownPlans(plans: readonly ScopePlan[], beside?: Beside): readonly ShownPlan[] {
  return [...alikePlans(plans, { beside })].map(([plan, others]) => ({ plan, others }));
}

/** How many scopes some plans are told for. */
export function countScopes(shown: readonly ShownPlan[]): number {
  return countAll(shown, () => 1);
}

/** What is counted in a plan, of all scopes that it is told for. */
function countAll(shown: readonly ShownPlan[], count: (plan: PlannedScope) => number): number {
  return shown.reduce((sum, { plan, others }) => sum + count(plan) * (others.length + 1), 0);
}

/** How the heading of a plan goes on that is told for several scopes; empty when for one. */
export function alikeCount(kind: string, others: readonly unknown[]): string {
  return others.length === 0 ? '' : ` and ${counted(others.length, `more ${kind}`)} alike`;
}

/** What introduces their names. */
export const ALIKE = 'Identical except for names, ids, versions, times and file locations';

/** Whether anything is said of a scope. */
function tellsAnything(plan: ScopePlan, detail: Detail): plan is PlannedScope {
  return plan.kind === 'planned' && (plan.steps.length > 0 || shownNotes(plan, detail).length > 0);
}
