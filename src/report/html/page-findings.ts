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
export interface BackLink {
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
