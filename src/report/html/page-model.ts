import type { Outcome } from '../../model/outcome.ts';
import type { Plan, PlannedScope } from '../../model/plan.ts';
import type { ShownPlan } from '../alike-plans.ts';
import { shownPlans } from '../alike-plans.ts';
import type { RulesetNames } from '../ruleset-names.ts';
import type { Graves } from '../lowering.ts';
import { byGravity, gravityOf } from '../lowering.ts';
import { rulesetNames } from '../ruleset-names.ts';
import type { Telling } from '../telling.ts';
import type { AttentionItem } from '../attention.ts';
import type { FoundGroup, Moment } from '../attention-groups.ts';
import { attentionGroups, isFoundGroup } from '../attention-groups.ts';
import { membersOf } from './found-members.ts';
import type { Counts, PlacedChange } from './placed-changes.ts';
import { NONE, addCounts, placedSteps } from './placed-changes.ts';

/**
 * The content of a page. For each scope it keeps only counts and places: the steps of a scope are decoded once for these, and again when
 * its section is written.
 */
export interface PageModel {
  readonly graves: Graves;
  readonly plan: Plan;
  readonly telling: Telling;
  readonly names: RulesetNames;
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
  readonly moment?: Moment | undefined;
}

/** Prepares a page. Limits keep the page small enough for a browser, whatever the size of the plan. */
export function pageModel(plan: Plan, told: Told): PageModel {
  const { telling, graves, items, outcomes: all = null, moment = 'review' } = told;
  const names = rulesetNames(plan);
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
