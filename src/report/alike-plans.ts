import { groupBy, assertNever } from '../data/index.ts';
import { changesScope, readStepId } from '../model/index.ts';
import type { PlannedScope, ScopePlan, PlanDifference, Outcome } from '../model/index.ts';
import { counted } from '../text/index.ts';
import { groupScopes } from './alike-scopes.ts';
import type { AlikeScopes } from './alike-scopes.ts';
import type { Detail } from './layout.ts';
import { shownNotes } from './notes.ts';
import { planSimilarityKey, similarityKey } from './similarity-key.ts';

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
  const speaking = plans.filter((plan) => tellsAnything(plan, detail));
  const groups = groupBy(speaking, (plan) =>
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

/** The differences of two plans in a scope, by place, and the labels of the other scopes with the same differences. */
export interface AlikeDifferences {
  readonly places: ReadonlyMap<string, readonly PlanDifference[]>;
  readonly others: readonly string[];
}

/** Groups differences by scope. Zones whose differences are all the same are grouped at the place of the first. */
export function alikeDifferences(
  differences: readonly PlanDifference[],
  detail: Detail = 'summed-up',
): readonly AlikeDifferences[] {
  const told = groupScopes(
    differences,
    ({ place }) => scopeOf(place),
    (scope, members) =>
      detail === 'each' || !scope.startsWith(ZONE) ? scope : similarityKey(members, scope),
  );
  return told.map(({ members, others }) => ({ places: groupBy(members, ({ place }) => place), others }));
}

const ZONE = 'zone:';

/** Returns the zone of a place; any other place is returned as it is, because an account's name may look like that of a ruleset in it. */
function scopeOf(place: string): string {
  const [zone = place] = place.startsWith(ZONE) ? place.split('/') : [];
  return zone;
}

/** Groups outcomes by scope. Scopes whose outcomes are all the same are grouped at the place of the first. */
export function alikeOutcomes(
  outcomes: readonly Outcome[],
  detail: Detail = 'summed-up',
): readonly AlikeScopes<Outcome>[] {
  return groupScopes(
    outcomes,
    ({ step }) => readStepId(step).scope,
    (scope, members) => (detail === 'each' ? scope : similarityKey(members.map(general), scope)),
  );
}

/** Returns an outcome without what is specific to its scope: the version, and ids in the service's message. */
function general(outcome: Outcome): unknown {
  switch (outcome.kind) {
    case 'done':
      return { ...outcome, version: outcome.version === null ? null : '' };
    case 'refused':
    case 'failed':
      return { ...outcome, message: outcome.message.replaceAll(/\b[0-9a-f]{32}\b/g, '…') };
    case 'skipped':
    case 'conflict':
    case 'not-reached':
      return outcome;
    default:
      return assertNever(outcome);
  }
}
