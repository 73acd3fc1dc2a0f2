import type { RuleChange } from '../../model/change.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Plan, PlannedScope, Step } from '../../model/plan.ts';
import { phaseOrder } from '../../model/phase.ts';
import type { ShownPlan } from '../alike-plans.ts';
import { shownPlans } from '../alike-plans.ts';
import type { Lowering } from '../lowering.ts';
import type { Telling } from '../telling.ts';

/** What a page shows and how: names of places for links, and how much of the plan is shown in detail. */
export interface PageModel {
  readonly plan: Plan;
  readonly telling: Telling;
  /** Whether it shows what came of an apply, and not what one would do. */
  readonly applied: boolean;
  /** What something is to be said of: those that change alike, and came to the same, as one. */
  readonly shown: readonly ShownPlan[];
  /** Which changes lower protection, and why: in a plan by what they do, in drift by what was done live. */
  readonly lowering: Lowering;
  /** Names of steps and changes in the page. */
  readonly anchors: ReadonlyMap<Step | RuleChange, string>;
  /** Changes that are shown at all, and those shown with their fields. */
  readonly listed: ReadonlySet<RuleChange>;
  readonly detailed: ReadonlySet<RuleChange>;
  /** What happened to each step, where something did. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

/** So many changes are shown with their fields, those that lower protection first. */
const MOST_DETAILED = 400;

/** So many changes are shown at all; of more only the counts are. */
const MOST_LISTED = 2_000;

/** How a plan is told, and what came of it. */
interface Told extends Pick<PageModel, 'telling' | 'lowering'> {
  readonly outcomes?: readonly Outcome[] | null;
}

/** Prepares a page: a plan of any size leads to a page that a browser holds with ease. */
export function pageModel(plan: Plan, { telling, lowering, outcomes: all = null }: Told): PageModel {
  const outcomes = new Map((all ?? []).map((outcome) => [outcome.step, outcome]));
  // Rules are told apart by identity, which in a packed plan they do not have.
  const shown = shownPlans(plan.scopes, ({ steps }) =>
    steps.map((step) => outcomes.get(step.id)?.kind ?? null),
  ).map((one) => ({ ...one, plan: { ...one.plan } }));
  const scopes = shown.map((one) => one.plan);
  const steps = scopes.flatMap((scope) => stepsOf(scope));
  const changes = steps.flatMap((step) => step.changes);
  const lowered = new Set(
    steps.flatMap((step) => step.changes.filter((change) => lowering(step, change) !== undefined)),
  );
  const urgent = [
    ...changes.filter((change) => lowered.has(change)),
    ...changes.filter((change) => !lowered.has(change)),
  ];
  return {
    plan,
    telling,
    lowering,
    applied: all !== null,
    shown,
    anchors: new Map<Step | RuleChange, string>([
      ...steps.map((step, index) => [step, `p${index + 1}`] as const),
      ...changes.map((change, index) => [change, `r${index + 1}`] as const),
    ]),
    listed: new Set(urgent.slice(0, MOST_LISTED)),
    detailed: new Set(urgent.slice(0, MOST_DETAILED)),
    outcomes,
  };
}

/** Name of a scope's section in the page, by its place. */
export function anchorOf(index: number): string {
  return `s${index + 1}`;
}

/** The steps of a scope in the order in which a request meets their rulesets; entry points before what they execute. */
export function stepsOf({ steps }: PlannedScope): readonly Step[] {
  const level = ({ target }: Step): number => (target.level === 'custom' ? 1 : 0);
  return [...steps].sort(
    (a, b) => phaseOrder(a.target.phase) - phaseOrder(b.target.phase) || level(a) - level(b),
  );
}
