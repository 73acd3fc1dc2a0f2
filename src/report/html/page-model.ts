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
 * What a page shows and how. Of each scope it has no more than counts and places: its steps are unpacked once for these,
 * and once more when its section is written.
 */
export interface PageModel {
  readonly graves: Graves;
  readonly plan: Plan;
  readonly telling: Telling;
  readonly names: RulesetNames;
  /** Whether it shows what came of an apply, and not what one would do. */
  readonly applied: boolean;
  /** What must not be overlooked, and how it stands on top. */
  readonly items: readonly AttentionItem[];
  readonly attention: readonly FoundGroup[];
  /** What happened to each step, where something did. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** What something is to be said of, the gravest first: those that change alike, and came to the same, as one. */
  readonly scopes: readonly SummedScope[];
  /** Those that have a section; of very many not the last. */
  readonly sections: readonly Section[];
  /** What all sections hold. */
  readonly total: Counts;
}

/** A scope in numbers. */
export interface SummedScope extends ShownPlan {
  readonly rulesets: readonly SummedRuleset[];
  readonly counts: Counts;
}

/** A section of the page before it is written. */
export interface Section extends SummedScope {
  /** Name of its place in the page. */
  readonly anchor: string;
  /** What the sections before it hold. */
  readonly before: Counts;
}

/** A ruleset that changes, before it is written. */
export interface SummedRuleset {
  readonly id: string;
  readonly phase: string;
  readonly counts: Counts;
  /** The changes that a finding or a note names, by the ref of their rule. */
  readonly named: ReadonlyMap<string, Omit<PlacedChange, 'change'>>;
}

/** So many scopes have a section. */
const MOST_SCOPES = 1_000;

/** How a plan is told, and what came of it. */
interface Told extends Pick<PageModel, 'telling' | 'graves' | 'items'> {
  readonly outcomes?: readonly Outcome[] | null;
  /** A plan to review, unless given or outcomes are. */
  readonly moment?: Moment | undefined;
}

/** Prepares a page: a plan of any size leads to a page that a browser holds with ease. */
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
