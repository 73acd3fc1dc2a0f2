import type { ObjectStep, Plan, PlannedScope, RuleChange, Step } from '../model/index.ts';
import { phaseOrder, readStepId, scopeLabel } from '../model/index.ts';
import { groupBy } from '../data/index.ts';
import type { ShownPlan } from './alike-plans.ts';
import { shownPlans } from './alike-plans.ts';
import type { Alike } from './alike-scopes.ts';
import type { FindingPlaces } from './attention-callouts.ts';
import type { AttentionGroup, Found } from './attention.ts';
import { isFoundGroup } from './attention.ts';
import type { Detail } from './layout.ts';
import type { SeverityOf, SevereChanges } from './severity.ts';
import { bySeverity, countSevere, isSevereChange } from './severity.ts';
import type { Inline } from './tree.ts';
import { MOST_LISTED } from './tree.ts';

/** The counts of a scope or a ruleset. */
export interface ChangeCounts extends SevereChanges {
  readonly steps: number;
  readonly changes: number;
  /** The number of severe changes. */
  readonly severe: number;
}

/** A scope that is shown, in its place among the others. */
export interface PlacedScope extends ShownPlan {
  readonly anchor: string;
  readonly counts: ChangeCounts;
  /** The counts of all scopes before this one. */
  readonly before: Pick<ChangeCounts, 'steps' | 'changes' | 'severe'>;
  /** Its rulesets in the order in which a request meets them. */
  readonly steps: readonly PlacedStep[];
  readonly objects: readonly AnchoredObject[];
}

/** A list or a setting that changes, with the anchor of its section. */
export interface AnchoredObject {
  readonly step: ObjectStep;
  readonly anchor: string;
}

/** A ruleset that changes, with the anchor of its section. */
export interface PlacedStep {
  readonly step: Step;
  readonly anchor: string;
  readonly counts: ChangeCounts;
}

/** The places of changes in a document, and of the findings about them. */
export interface PlanPlaces {
  readonly scopes: readonly PlacedScope[];
  readonly ofChange: (scope: PlacedScope, change: RuleChange) => ChangePlace;
  readonly ofFinding: (finding: Alike<Found>) => FindingPlaces | undefined;
  /** Returns links back to the findings about a place. */
  readonly mentionsOf: (anchor: string) => Inline;
}

/** The anchor of a change, and its place in the order of importance. */
interface ChangePlace {
  readonly anchor: string;
  readonly rank: number;
}

interface PlacesTold {
  readonly severityOf: SeverityOf;
  /** The findings about the plan. */
  readonly groups: readonly AttentionGroup[];
  readonly detail: Detail | undefined;
  /** Other facts shown with a plan, which must be equal for plans to be shown as one. */
  readonly beside: (plan: PlannedScope) => unknown;
}

/** Places the scopes of a plan, most severe first; those that change alike are one. */
export function planPlaces(plan: Plan, { severityOf, groups, detail, beside }: PlacesTold): PlanPlaces {
  const scopes = placedScopes(shownPlans(plan.scopes, { beside, detail }), severityOf);
  const severe = scopes.reduce((sum, { counts }) => sum + counts.severe, 0);
  const ofScope = new Map(
    scopes.flatMap((placed) =>
      [placed.plan, ...placed.others].map(({ scope }) => [scopeLabel(scope), placed] as const),
    ),
  );
  const ranks = new Map<PlacedScope, ReadonlyMap<RuleChange, ChangePlace>>();
  const ofChange: PlanPlaces['ofChange'] = (scope, change) => {
    const known = ranks.get(scope) ?? changePlaces(scope, { severityOf, severe });
    // The scopes are written one after the other, so that only the places of one are kept.
    if (!ranks.has(scope)) {
      ranks.clear();
      ranks.set(scope, known);
    }
    return known.get(change) ?? { anchor: '', rank: Infinity };
  };
  const placeOf = ({ scope = '', step = '', rule = '' }: Found): string | undefined => {
    const placed = ofScope.get(scope);
    const { ruleset } = readStepId(step);
    const isMeant = (one: PlacedStep | AnchoredObject): boolean =>
      readStepId(one.step.id).ruleset === ruleset;
    const found = placed?.steps.find(isMeant);
    const change = found?.step.changes.find(({ ref }) => ref === rule);
    const place = change === undefined || placed === undefined ? undefined : ofChange(placed, change);
    return place !== undefined && place.rank < MOST_LISTED
      ? place.anchor
      : (found ?? placed?.objects.find(isMeant))?.anchor;
  };
  const found = new Map(
    groups.filter(isFoundGroup).flatMap(({ members }, number) =>
      members.map((alike, index): readonly [Alike<Found>, FindingPlaces] => [
        alike,
        {
          anchor: `f${number + 1}-${index + 1}`,
          places: new Map(
            membersOf(alike).flatMap((one) => {
              const place = one.step === undefined ? undefined : placeOf(one);
              return place === undefined ? [] : [[one.scope ?? '', place] as const];
            }),
          ),
        },
      ]),
    ),
  );
  const mentions = groupBy(
    [...found].flatMap(
      ([
        {
          item: { kind },
        },
        { anchor, places },
      ]) => [...new Set(places.values())].map((place) => ({ place, kind, anchor })),
    ),
    ({ place }) => place,
  );
  return {
    scopes,
    ofChange,
    ofFinding: (alike) => found.get(alike),
    mentionsOf: (anchor) => {
      const of = mentions.get(anchor) ?? [];
      return of.length === 0
        ? []
        : [
            '↑ see finding: ',
            ...of.flatMap(({ kind, anchor: finding }, index) => [
              ...(index === 0 ? [] : [', ']),
              { text: kind, to: { kind: 'anchor', anchor: finding } as const },
            ]),
          ];
    },
  };
}

function placedScopes(shown: readonly ShownPlan[], severityOf: SeverityOf): readonly PlacedScope[] {
  const sorted = shown
    .map((one) => {
      const steps = inOrder(one.plan).map((step) => ({ step, counts: countsOf(step, severityOf) }));
      return {
        ...one,
        steps,
        counts: steps.map(({ counts }) => counts).reduce((sum, one) => addCounts(sum, one), NOTHING),
      };
    })
    .toSorted((a, b) => bySeverity(a.counts, b.counts));
  let before = NOTHING;
  let objects = 0;
  return sorted.map((one, index) => {
    const placed = {
      ...one,
      anchor: `s${index + 1}`,
      before,
      steps: one.steps.map((step, at) => ({ ...step, anchor: `p${before.steps + at + 1}` })),
      objects: (one.plan.objects ?? []).map((step) => ({ step, anchor: `l${(objects += 1)}` })),
    };
    before = addCounts(before, one.counts);
    return placed;
  });
}

/** Returns the rulesets of a scope in the order in which a request meets them; within a phase the entry point comes before the custom rulesets. */
function inOrder({ steps }: PlannedScope): readonly Step[] {
  const level = ({ target }: Step): number => (target.level === 'custom' ? 1 : 0);
  return [...steps].sort(
    (a, b) => phaseOrder(a.target.phase) - phaseOrder(b.target.phase) || level(a) - level(b),
  );
}

const NOTHING: ChangeCounts = { steps: 0, changes: 0, ending: 0, opening: 0, lowering: 0, severe: 0 };

function countsOf(step: Step, severityOf: SeverityOf): ChangeCounts {
  return {
    steps: 1,
    changes: step.changes.length,
    ...countSevere([step], severityOf),
    severe: step.changes.filter((change) => isSevereChange(severityOf(step, change))).length,
  };
}

/** Adds counts, the second `times` times. */
export function addCounts(a: ChangeCounts, b: ChangeCounts, times = 1): ChangeCounts {
  return {
    steps: a.steps + b.steps * times,
    changes: a.changes + b.changes * times,
    ending: a.ending + b.ending * times,
    opening: a.opening + b.opening * times,
    lowering: a.lowering + b.lowering * times,
    severe: a.severe + b.severe * times,
  };
}

/** Places the changes of a scope: in the document in their order, in importance the severe ones of all scopes first. */
function changePlaces(
  { steps, before }: PlacedScope,
  { severityOf, severe: total }: { readonly severityOf: SeverityOf; readonly severe: number },
): ReadonlyMap<RuleChange, ChangePlace> {
  let [severe, others] = [before.severe, before.changes - before.severe];
  return new Map(
    steps.flatMap(({ step }) =>
      step.changes.map((change) => {
        const isSevere = isSevereChange(severityOf(step, change));
        const place = {
          anchor: `r${severe + others + 1}`,
          rank: isSevere ? severe : total + others,
        };
        [severe, others] = isSevere ? [severe + 1, others] : [severe, others + 1];
        return [change, place] as const;
      }),
    ),
  );
}

/** Expands a grouped finding to one per scope. A finding about many rules becomes one about their ruleset. */
function membersOf({ item, rules, scopes }: Alike<Found>): readonly Found[] {
  const found = rules.length === 0 ? item : { ...item, rule: '' };
  return scopes.length === 0
    ? [found]
    : scopes.map((scope) => ({
        ...found,
        scope,
        step: found.step && `${scope}/${readStepId(found.step).ruleset}`,
      }));
}
