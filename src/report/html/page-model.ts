import type { Outcome, Plan, PlannedScope, Step, RuleChange } from '../../model/index.ts';
import type { ShownPlan } from '../alike-plans.ts';
import { shownPlans } from '../alike-plans.ts';
import type { PlanNames } from '../plan-names.ts';
import type { Graves, Gravity } from '../severity.ts';
import { byGravity, gravityOf, isGraveChange } from '../severity.ts';
import { planNames } from '../plan-names.ts';
import type { Telling } from '../telling.ts';
import type { AttentionItem, FoundGroup, ReportMoment, Found } from '../attention.ts';
import { attentionGroups, isFoundGroup, isOfDrift, MOST_DRIFT_SHOWN } from '../attention.ts';
import { phaseOrder, readStepId, scopeLabel } from '../../model/index.ts';
import type { Alike } from '../alike-scopes.ts';
import { groupBy } from '../../data/index.ts';

/** Expands a grouped finding to one per scope. A finding about many rules becomes one about their ruleset. */
function membersOf({ item, rules, scopes }: Alike<Found>): readonly Found[] {
  const found = rules.length === 0 ? item : { ...item, rule: '' };
  return scopes.length === 0 ? [found] : scopes.map((scope) => inScope(found, scope));
}

/** Returns a finding about one scope as a finding about another. */
function inScope(found: Found, scope: string): Found {
  const { step } = found;
  return { ...found, scope, step: step && `${scope}/${readStepId(step).ruleset}` };
}

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
interface PlacedChange {
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
function placedSteps({ steps }: PlannedScope, graves: Graves): readonly PlacedStep[] {
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
function roomFor(
  { isGrave, placeAmongSuch }: Pick<PlacedChange, 'isGrave' | 'placeAmongSuch'>,
  { before, total }: { readonly before: Counts; readonly total: Counts },
): { readonly listed: boolean; readonly detailed: boolean } {
  const rank = isGrave
    ? before.grave + placeAmongSuch
    : total.grave + before.changes - before.grave + placeAmongSuch;
  return { listed: rank < MOST_LISTED, detailed: rank < MOST_DETAILED };
}

/** Returns the anchor of a change. */
function changeAnchor({ place }: Pick<PlacedChange, 'place'>, before: Counts): string {
  return `r${before.changes + place + 1}`;
}

/** Returns the anchor of the ruleset at an index in its scope. */
export function stepAnchor(index: number, before: Counts): string {
  return `p${before.steps + index + 1}`;
}

/**
 * The content of a page. For each scope it keeps only counts and places: the steps of a scope are decoded once for these, and again when
 * its section is written.
 */
export interface PageModel {
  readonly graves: Graves;
  readonly plan: Plan;
  readonly telling: Telling;
  readonly names: PlanNames;
  /** Whether the page shows the result of an apply, and not what one would do. */
  readonly applied: boolean;
  /** What must not be overlooked. */
  readonly items: readonly AttentionItem[];
  readonly attention: readonly FoundGroup[];
  /** The outcomes by step id, for steps that have one. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** The scopes with something to show, gravest first; those that change alike, with the same outcomes, are grouped. */
  readonly scopes: readonly SummedScope[];
  /** The scopes that have a section; the last of very many have none. */
  readonly sections: readonly Section[];
  /** The counts of all sections together. */
  readonly total: Counts;
}

/** A scope with its counts. */
export interface SummedScope extends ShownPlan {
  readonly rulesets: readonly SummedRuleset[];
  readonly counts: Counts;
}

/** A section of the page before it is written. */
export interface Section extends SummedScope {
  /** The anchor of the section. */
  readonly anchor: string;
  /** The counts of all sections before this one. */
  readonly before: Counts;
}

/** A ruleset that changes, before it is written. */
export interface SummedRuleset {
  readonly id: string;
  readonly phase: string;
  readonly counts: Counts;
  /** The changes that a finding or a note names, by the `ref` of the rule. */
  readonly named: ReadonlyMap<string, Omit<PlacedChange, 'change'>>;
}

/** The maximum number of sections. */
const MOST_SCOPES = 1_000;

/** How to show a plan, and its outcomes. */
interface Told extends Pick<PageModel, 'telling' | 'graves' | 'items'> {
  readonly outcomes?: readonly Outcome[] | null;
  /** `review` unless given or outcomes are. */
  readonly moment?: ReportMoment | undefined;
}

/** Prepares a page. Limits keep the page small enough for a browser, whatever the size of the plan. */
export function pageModel(plan: Plan, told: Told): PageModel {
  const { telling, graves, items, outcomes: all = null, moment = 'review' } = told;
  const names = planNames(plan);
  const applied = all !== null;
  const attention = attentionGroups(items, { moment: applied ? 'over' : moment }).filter(isFoundGroup);
  const named = new Set(
    attention.flatMap((group) =>
      group.members.flatMap(membersOf).map(({ step = '', rule = '' }) => `${step} ${rule}`),
    ),
  );
  const outcomes = new Map((all ?? []).map((outcome) => [outcome.step, outcome]));
  const scopes = shownPlans(plan.scopes, ({ steps }) =>
    steps.map((step) => outcomes.get(step.id)?.kind ?? null),
  )
    .map((one): SummedScope => {
      const rulesets = rulesetsOf(one.plan, { graves, named });
      return { ...one, rulesets, counts: rulesets.map(({ counts }) => counts).reduce(addCounts, NONE) };
    })
    .toSorted((a, b) => byGravity(a.counts, b.counts));
  const sections: Section[] = [];
  let total = NONE;
  for (const one of scopes.slice(0, MOST_SCOPES)) {
    sections.push({ ...one, anchor: `s${sections.length + 1}`, before: total });
    total = addCounts(total, one.counts);
  }
  return {
    plan,
    telling,
    names,
    applied,
    graves,
    items,
    attention,
    outcomes,
    scopes,
    sections,
    total,
  };
}

function rulesetsOf(
  plan: PlannedScope,
  { graves, named }: { readonly graves: Graves; readonly named: ReadonlySet<string> },
): readonly SummedRuleset[] {
  return placedSteps(plan, graves).map(({ step, changes }) => ({
    id: step.id,
    phase: step.target.phase,
    counts: {
      steps: 1,
      changes: changes.length,
      ...gravityOf([step], graves),
      grave: changes.filter(({ isGrave }) => isGrave).length,
    },
    named: new Map(
      changes
        .filter(({ change }) => named.has(`${step.id} ${change.ref}`))
        .map(({ change, ...placed }) => [change.ref, placed]),
    ),
  }));
}

/** The number of findings of a group that the page of a plan shows. */
const MOST_SHOWN = 50;

/** A finding at the top of the page, with links to what it is about. */
export interface ShownFinding {
  readonly alike: Alike<Found>;
  /** The anchor of the finding. */
  readonly anchor: string;
  /** The anchors of the places that the finding is about, by scope label. */
  readonly places: ReadonlyMap<string, string>;
}

/** A group of findings on the page. */
export interface FindingGroup extends Pick<FoundGroup, 'title' | 'level'> {
  readonly shown: readonly ShownFinding[];
  /** The number of findings that are not shown. */
  readonly more: number;
}

/** Returns the groups of findings of a page, with the places that they are about. */
export function pageFindings(model: PageModel): readonly FindingGroup[] {
  const placeOf = placesIn(model);
  return model.attention.map(({ title, level, members }, number) => {
    const most = isOfDrift({ level }) ? MOST_DRIFT_SHOWN : MOST_SHOWN;
    return {
      title,
      level,
      shown: members.slice(0, most).map((alike, index) => ({
        alike,
        anchor: `f${number + 1}-${index + 1}`,
        places: new Map(
          membersOf(alike).flatMap((found) => {
            const place = placeOf(found);
            return place === undefined ? [] : [[found.scope ?? '', place] as const];
          }),
        ),
      })),
      more: Math.max(0, members.length - most),
    };
  });
}

/** A link from a place back to a finding about it. */
interface BackLink {
  readonly kind: Found['kind'];
  readonly anchor: string;
}

/** Returns the links back to findings, by the anchor of the place. */
export function backLinks(groups: readonly FindingGroup[]): ReadonlyMap<string, readonly BackLink[]> {
  const links = groups.flatMap(({ shown }) =>
    shown.flatMap(({ alike: { item }, anchor, places }) =>
      [...new Set(places.values())].map((place) => ({ place, kind: item.kind, anchor })),
    ),
  );
  return groupBy(links, ({ place }) => place);
}

/** Returns a function that finds the anchor for a finding: of the rule if it is shown, else of the ruleset. */
function placesIn({ sections, total }: PageModel): (found: Found) => string | undefined {
  // A scope that is grouped with another one has its place there.
  const byScope = new Map(
    sections.flatMap((section) =>
      [section.plan, ...section.others].map(({ scope }) => [scopeLabel(scope), section] as const),
    ),
  );
  return (found) => {
    const section = byScope.get(found.scope ?? '');
    return section === undefined
      ? undefined
      : placeIn(section, { ...inScope(found, scopeLabel(section.plan.scope)), total });
  };
}

function placeIn(
  { rulesets, before }: Section,
  { step, rule = '', total }: Found & Pick<PageModel, 'total'>,
): string | undefined {
  const index = rulesets.findIndex(({ id }) => id === step);
  const change = rulesets[index]?.named.get(rule);
  if (change !== undefined && roomFor(change, { before, total }).listed) {
    return changeAnchor(change, before);
  }
  return index === -1 ? undefined : stepAnchor(index, before);
}

/** A scope while its section is written. Its plan is decoded once, so that steps and changes can be compared by identity. */
export interface ScopeModel extends Pick<PageModel, 'telling' | 'graves' | 'names' | 'outcomes'> {
  readonly plan: PlannedScope;
  /** The steps that are shown, in order. */
  readonly steps: readonly Step[];
  /** The anchors of steps and changes. */
  readonly anchors: ReadonlyMap<Step | RuleChange, string>;
  /** The changes that are listed, and below those that are shown with their fields. */
  readonly listed: ReadonlySet<RuleChange>;
  readonly detailed: ReadonlySet<RuleChange>;
  /** The links back to findings, by anchor. */
  readonly found: ReadonlyMap<string, readonly BackLink[]>;
}

export function scopeModel(section: Section, page: PageModel, found: ScopeModel['found']): ScopeModel {
  const { before } = section;
  const { telling, graves, names, outcomes, total } = page;
  const plan = { ...section.plan };
  const placed = placedSteps(plan, graves);
  const rooms = placed.flatMap(({ changes }) =>
    changes.map((one) => ({ ...one, room: roomFor(one, { before, total }) })),
  );
  const listed = new Set(rooms.filter(({ room }) => room.listed).map(({ change }) => change));
  return {
    telling,
    graves,
    names,
    outcomes,
    plan,
    steps: placed
      .map(({ step }) => step)
      .filter(({ changes }) => changes.length === 0 || changes.some((change) => listed.has(change))),
    anchors: new Map<Step | RuleChange, string>([
      ...placed.map(({ step }, index) => [step, stepAnchor(index, before)] as const),
      ...rooms.map((one) => [one.change, changeAnchor(one, before)] as const),
    ]),
    listed,
    detailed: new Set(rooms.filter(({ room }) => room.detailed).map(({ change }) => change)),
    found,
  };
}
