import type { RuleChange } from '../../model/change.ts';
import { phaseOrder } from '../../model/phase.ts';
import type { PlannedScope, Step } from '../../model/plan.ts';
import type { Graves, Gravity } from '../lowering.ts';
import { isGraveChange } from '../lowering.ts';

/** Counts of what changes. */
export interface Counts extends Gravity {
  readonly steps: number;
  readonly changes: number;
  /** The number of grave changes. */
  readonly grave: number;
}

/** All counts zero. */
export const NONE: Counts = { steps: 0, changes: 0, ending: 0, opening: 0, lowering: 0, grave: 0 };

/** Adds counts. */
export function addCounts(a: Counts, b: Counts): Counts {
  return {
    steps: a.steps + b.steps,
    changes: a.changes + b.changes,
    ending: a.ending + b.ending,
    opening: a.opening + b.opening,
    lowering: a.lowering + b.lowering,
    grave: a.grave + b.grave,
  };
}

/** Multiplies counts. */
export function timesCounts(counts: Counts, times: number): Counts {
  return {
    steps: counts.steps * times,
    changes: counts.changes * times,
    ending: counts.ending * times,
    opening: counts.opening * times,
    lowering: counts.lowering * times,
    grave: counts.grave * times,
  };
}

/** A ruleset that changes, with its changes. */
export interface PlacedStep {
  readonly step: Step;
  readonly changes: readonly PlacedChange[];
}

/** A change, with its positions among the changes of its scope. */
export interface PlacedChange {
  readonly change: RuleChange;
  /** The position among all changes of the scope, from 0. */
  readonly place: number;
  readonly isGrave: boolean;
  /** The position among the grave changes of the scope if this is one, else among the others. */
  readonly placeAmongSuch: number;
}

/**
 * Returns the rulesets of a scope in the order in which a request meets them; within a phase the entry point comes before the custom
 * rulesets.
 */
export function placedSteps({ steps }: PlannedScope, graves: Graves): readonly PlacedStep[] {
  const level = ({ target }: Step): number => (target.level === 'custom' ? 1 : 0);
  const sorted = [...steps].sort(
    (a, b) => phaseOrder(a.target.phase) - phaseOrder(b.target.phase) || level(a) - level(b),
  );
  let [grave, others] = [0, 0];
  return sorted.map((step) => ({
    step,
    changes: step.changes.map((change) => {
      const isGrave = isGraveChange(graves(step, change));
      const placed = {
        change,
        place: grave + others,
        isGrave,
        placeAmongSuch: isGrave ? grave : others,
      };
      [grave, others] = isGrave ? [grave + 1, others] : [grave, others + 1];
      return placed;
    }),
  }));
}

/** The number of changes that are listed; beyond it only the counts are shown. */
const MOST_LISTED = 2_000;

/** The number of changes that are shown with their fields. */
const MOST_DETAILED = 400;

/** Whether a change is listed, and shown with its fields. Grave changes of all sections come first. */
export function roomFor(
  { isGrave, placeAmongSuch }: Pick<PlacedChange, 'isGrave' | 'placeAmongSuch'>,
  { before, total }: { readonly before: Counts; readonly total: Counts },
): { readonly listed: boolean; readonly detailed: boolean } {
  const rank = isGrave
    ? before.grave + placeAmongSuch
    : total.grave + before.changes - before.grave + placeAmongSuch;
  return { listed: rank < MOST_LISTED, detailed: rank < MOST_DETAILED };
}

/** Returns the anchor of a change. */
export function changeAnchor({ place }: Pick<PlacedChange, 'place'>, before: Counts): string {
  return `r${before.changes + place + 1}`;
}

/** Returns the anchor of the ruleset at an index in its scope. */
export function stepAnchor(index: number, before: Counts): string {
  return `p${before.steps + index + 1}`;
}
