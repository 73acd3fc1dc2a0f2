import { groupBy } from '../../model/group-by.ts';
import type { GuardFinding, PlanNote } from '../../model/plan.ts';
import { isAllowable } from '../../model/plan.ts';
import { scopeLabel } from '../../model/scope.ts';
import type { Alike } from '../alike-scopes.ts';
import { groupFindings } from '../alike-scopes.ts';
import { findingsOf } from '../lines/finding.ts';
import { warningNotes } from '../notes.ts';
import type { Scoped } from '../own-ids.ts';
import type { PageModel, Section } from './page-model.ts';
import { changeAnchor, roomFor, stepAnchor } from './placed-changes.ts';

/** What a guard found or a note warns of. */
export type Care = Omit<GuardFinding, 'kind'> &
  Scoped & { readonly kind: GuardFinding['kind'] | PlanNote['kind'] };

/** One that the page shows on top, with what it is about. */
export interface ShownFinding {
  readonly alike: Alike<Care>;
  /** Name of its place in the page. */
  readonly anchor: string;
  /** Names of the places that it is about, by the labels of their scopes. */
  readonly places: ReadonlyMap<string, string>;
}

/** Those of one effect. */
export interface FindingGroup {
  readonly shown: readonly ShownFinding[];
  /** How many more there are. */
  readonly more: number;
}

/** What stops apply whatever is allowed, what stops it until it is allowed, and what needs attention. */
export type PageFindings = Readonly<Record<'never' | 'refuse' | 'warn', FindingGroup>>;

/** So many findings of one group are shown. */
const MOST = 50;

/** What guards found and notes warn of. Drift has no guards, and its notes stand at their rulesets. */
export function pageFindings(model: PageModel): PageFindings {
  const isDrift = model.telling.kind === 'drift';
  const findings = isDrift ? [] : findingsOf(model.plan);
  const notes = isDrift ? [] : warningNotes(model.plan).map(asFinding);
  const placeOf = placesIn(model);
  const group = (of: readonly Care[], prefix: string): FindingGroup => {
    const groups = groupFindings(of);
    const shown = groups.slice(0, MOST).map((alike, index) => ({
      alike,
      anchor: `${prefix}${index + 1}`,
      places: new Map(
        membersOf(alike).flatMap((care) => {
          const place = placeOf(care);
          return place === undefined ? [] : [[care.scope ?? '', place] as const];
        }),
      ),
    }));
    return { shown, more: groups.length - shown.length };
  };
  const refusing = findings.filter(({ effect }) => effect === 'refuse');
  const warning = findings.filter(({ effect }) => effect === 'warn');
  return {
    never: group(
      refusing.filter(({ kind }) => !isAllowable(kind)),
      'n',
    ),
    refuse: group(
      refusing.filter(({ kind }) => isAllowable(kind)),
      'f',
    ),
    warn: group([...warning, ...notes], 'w'),
  };
}

/** What is found at a place: the way back to it. */
export interface BackLink {
  readonly kind: Care['kind'];
  readonly anchor: string;
}

/** The findings of each place. */
export function backLinks(groups: PageFindings): ReadonlyMap<string, readonly BackLink[]> {
  const links = Object.values(groups).flatMap(({ shown }) =>
    shown.flatMap(({ alike: { item }, anchor, places }) =>
      [...new Set(places.values())].map((place) => ({ place, kind: item.kind, anchor })),
    ),
  );
  return groupBy(links, ({ place }) => place);
}

function asFinding({ kind, step, rule, scope, own, message: text }: PlanNote & Scoped): Care {
  return { kind, effect: 'warn', step, rule, scope, own, message: rule === '' ? text : `${rule}: ${text}` };
}

/** What is told once, of each of its scopes. */
function membersOf({ item, scopes }: Alike<Care>): readonly Care[] {
  return scopes.length === 0 ? [item] : scopes.map((scope) => inScope(item, scope));
}

function inScope(care: Care, scope: string): Care {
  const { step, scope: own = '' } = care;
  return { ...care, scope, step: step && `${scope}${step.slice(own.length)}` };
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
