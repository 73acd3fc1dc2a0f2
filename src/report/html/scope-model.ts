import type { RuleChange } from '../../model/change.ts';
import type { PlannedScope, Step } from '../../model/plan.ts';
import type { BackLink } from './page-findings.ts';
import type { PageModel, Section } from './page-model.ts';
import { changeAnchor, placedSteps, roomFor, stepAnchor } from './placed-changes.ts';

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
