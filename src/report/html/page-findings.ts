import { groupBy } from '../../model/group-by.ts';
import { scopeLabel } from '../../model/scope.ts';
import type { Alike } from '../alike-scopes.ts';
import type { Found } from '../attention.ts';
import { isOfDrift } from '../attention.ts';
import type { FoundGroup } from '../attention-groups.ts';
import { MOST_DRIFT_SHOWN } from '../attention-groups.ts';
import { inScope, membersOf } from './found-members.ts';
import type { PageModel, Section } from './page-model.ts';
import { changeAnchor, roomFor, stepAnchor } from './placed-changes.ts';

/** So many of one group are shown in a plan. */
const MOST_SHOWN = 50;

/** One that the page shows on top, with what it is about. */
export interface ShownFinding {
  readonly alike: Alike<Found>;
  /** Name of its place in the page. */
  readonly anchor: string;
  /** Names of the places that it is about, by the labels of their scopes. */
  readonly places: ReadonlyMap<string, string>;
}

/** A group as it is shown. */
export interface FindingGroup extends Pick<FoundGroup, 'title' | 'level'> {
  readonly shown: readonly ShownFinding[];
  /** How many more there are. */
  readonly more: number;
}

/** The groups of a page in which something is found, with their places in it. */
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

/** What is found at a place: the way back to it. */
export interface BackLink {
  readonly kind: Found['kind'];
  readonly anchor: string;
}

/** The findings of each place. */
export function backLinks(groups: readonly FindingGroup[]): ReadonlyMap<string, readonly BackLink[]> {
  const links = groups.flatMap(({ shown }) =>
    shown.flatMap(({ alike: { item }, anchor, places }) =>
      [...new Set(places.values())].map((place) => ({ place, kind: item.kind, anchor })),
    ),
  );
  return groupBy(links, ({ place }) => place);
}

/** Finds the place that something is about: the rule where it is shown, else the ruleset. */
function placesIn({ sections, total }: PageModel): (found: Found) => string | undefined {
  // A scope that is told with another one has its place there.
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
