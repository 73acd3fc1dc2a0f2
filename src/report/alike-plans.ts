import { changesScope } from '../model/index.ts';
import type { PlannedScope, ScopePlan } from '../model/index.ts';
import { groupBy } from '../data/index.ts';
import { counted } from '../text/index.ts';
import { planSimilarityKey } from './similarity-key.ts';
import { shownNotes } from './notes.ts';
import type { Detail } from './layout.ts';

/** The plans that are shown, in order, each with the plans of other scopes that are alike. */
export type AlikePlans = ReadonlyMap<PlannedScope, readonly PlannedScope[]>;

/** Returns other facts shown with a plan, which must be equal for plans to be alike. */
type Beside = (plan: PlannedScope) => unknown;

/**
 * Returns the scopes with steps or notes to show; scopes that change alike are grouped with the first of them. Visits one scope at a time
 * and keeps only a digest of each.
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

/** A plan that is shown, and the other scopes that it stands for. */
export interface ShownPlan {
  readonly plan: PlannedScope;
  readonly others: readonly PlannedScope[];
}

/** Returns `alikePlans` as a list. */
export function shownPlans(
  plans: readonly ScopePlan[],
  how: Parameters<typeof alikePlans>[1] = {},
): readonly ShownPlan[] {
  return [...alikePlans(plans, how)].map(([plan, others]) => ({ plan, others }));
}

/** Counts the scopes that plans stand for. */
export function countScopes(shown: readonly ShownPlan[]): number {
  return countAll(shown, () => 1);
}

/** Adds up a count of each plan over all scopes that it stands for. */
function countAll(shown: readonly ShownPlan[], count: (plan: PlannedScope) => number): number {
  return shown.reduce((sum, { plan, others }) => sum + count(plan) * (others.length + 1), 0);
}

/** Returns the end of the heading of a plan that stands for several scopes; empty for one scope. */
export function alikeCount(kind: string, others: readonly unknown[]): string {
  return others.length === 0 ? '' : ` and ${counted(others.length, `more ${kind}`)} alike`;
}

/** The text before the names of the scopes that a plan stands for. */
export const ALIKE = 'Identical but for names, ids, versions, times, locations and unchanged rules';

/** Whether a scope has a step or a note to show. */
function tellsAnything(plan: ScopePlan, detail: Detail): plan is PlannedScope {
  return plan.kind === 'planned' && (changesScope(plan) || shownNotes(plan, detail).length > 0);
}
