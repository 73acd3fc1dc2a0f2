import { groupBy } from '../../model/group-by.ts';
import { scopeLabel } from '../../model/scope.ts';
import type { Alike } from '../alike-scopes.ts';
import type { Care, CareGroup } from './page-cares.ts';
import { inScope, membersOf } from './page-cares.ts';
import type { PageModel, Section } from './page-model.ts';
import { changeAnchor, roomFor, stepAnchor } from './placed-changes.ts';

/** One that the page shows on top, with what it is about. */
export interface ShownFinding {
  readonly alike: Alike<Care>;
  /** Name of its place in the page. */
  readonly anchor: string;
  /** Names of the places that it is about, by the labels of their scopes. */
  readonly places: ReadonlyMap<string, string>;
}

/** A group as it is shown. */
export interface FindingGroup extends Pick<CareGroup, 'title' | 'effect'> {
  readonly shown: readonly ShownFinding[];
  /** How many more there are. */
  readonly more: number;
}

/** The groups of a page in which something is found, with their places in it. */
export function pageFindings(model: PageModel): readonly FindingGroup[] {
  const placeOf = placesIn(model);
  return model.cares
    .filter(({ cares }) => cares.length > 0)
    .map(({ title, effect, cares, most }, number) => ({
      title,
      effect,
      shown: cares.slice(0, most).map((alike, index) => ({
        alike,
        anchor: `f${number + 1}-${index + 1}`,
        places: new Map(
          membersOf(alike).flatMap((care) => {
            const place = placeOf(care);
            return place === undefined ? [] : [[care.scope ?? '', place] as const];
          }),
        ),
      })),
      more: Math.max(0, cares.length - most),
    }));
}

/** What is found at a place: the way back to it. */
export interface BackLink {
  readonly kind: Care['kind'];
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
function placesIn({ sections, total }: PageModel): (care: Care) => string | undefined {
  // A scope that is told with another one has its place there.
  const byScope = new Map(
    sections.flatMap((section) =>
      [section.plan, ...section.others].map(({ scope }) => [scopeLabel(scope), section] as const),
    ),
  );
  return (care) => {
    const section = byScope.get(care.scope ?? '');
    return section === undefined
      ? undefined
      : placeIn(section, { ...inScope(care, scopeLabel(section.plan.scope)), total });
  };
}

function placeIn(
  { rulesets, before }: Section,
  { step, rule = '', total }: Care & Pick<PageModel, 'total'>,
): string | undefined {
  const index = rulesets.findIndex(({ id }) => id === step);
  const change = rulesets[index]?.named.get(rule);
  if (change !== undefined && roomFor(change, { before, total }).listed) {
    return changeAnchor(change, before);
  }
  return index === -1 ? undefined : stepAnchor(index, before);
}
