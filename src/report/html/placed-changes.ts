import type { RuleChange } from '../../model/change.ts';
import { phaseOrder } from '../../model/phase.ts';
import type { PlannedScope, Step } from '../../model/plan.ts';
import type { Graves, Gravity } from '../lowering.ts';
import { isGraveChange } from '../lowering.ts';

/** How much changes. */
export interface Counts extends Gravity {
  readonly steps: number;
  readonly changes: number;
  /** Changes that do any of what is grave. */
  readonly grave: number;
}

/** Nothing. */
export const NONE: Counts = { steps: 0, changes: 0, ending: 0, opening: 0, lowering: 0, grave: 0 };

/** Both together. */
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

/** The same so many times. */
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

/** A change of a scope, with its places there. */
export interface PlacedChange {
  readonly change: RuleChange;
  /** Among all changes of the scope. */
  readonly place: number;
  readonly isGrave: boolean;
  /** Among those that are grave too, or those that are not. */
  readonly placeAmongSuch: number;
}

/** The rulesets of a scope in the order in which a request meets them; entry points before what they execute. */
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

/** So many changes are shown at all; of more only the counts are. */
const MOST_LISTED = 2_000;

/** So many changes are shown with their fields. */
const MOST_DETAILED = 400;

/** Whether there is room for a change. Those that are grave come first, wherever they stand. */
export function roomFor(
  { isGrave, placeAmongSuch }: Pick<PlacedChange, 'isGrave' | 'placeAmongSuch'>,
  { before, total }: { readonly before: Counts; readonly total: Counts },
): { readonly listed: boolean; readonly detailed: boolean } {
  const rank = isGrave
    ? before.grave + placeAmongSuch
    : total.grave + before.changes - before.grave + placeAmongSuch;
  return { listed: rank < MOST_LISTED, detailed: rank < MOST_DETAILED };
}

/** Name of the place of a change in the page. */
export function changeAnchor({ place }: Pick<PlacedChange, 'place'>, before: Counts): string {
  return `r${before.changes + place + 1}`;
}

/** Name of the place of a ruleset in the page, of that at an index in its scope. */
export function stepAnchor(index: number, before: Counts): string {
  return `p${before.steps + index + 1}`;
}
