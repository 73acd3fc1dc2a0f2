import type { Plan } from '../../model/plan.ts';
import type { AllowedKinds, GuardFinding } from '../../model/guard.ts';
import { isAllowable, isAllowed } from '../../model/guard.ts';
import { plannedScopes } from '../../model/scope-plans.ts';
import { alikeMessage, groupFindings, scopeNames } from '../alike-scopes.ts';
import { counted } from '../count.ts';
import { escapeLines, escapeText } from '../escape.ts';
import type { Line } from '../layout.ts';
import { refusedGroups, untilAllowed, untilReviewed } from '../allowing.ts';
import { BLANK, hanging, line, span } from '../layout.ts';
import { warningNotes } from '../notes.ts';
import type { Scoped } from '../own-ids.ts';
import { saidOf } from '../own-ids.ts';
import type { Detail, Style } from '../theme.ts';

/** What is allowed for this run: kinds of findings, and findings that the reviewed plan showed. */
export interface Allowed {
  readonly kinds: AllowedKinds;
  readonly reviewed?: readonly GuardFinding[];
}

/** What is allowed for the run, if the plan is carried out now, and whether each finding is told by itself. */
interface FindingLook {
  readonly allowed?: Allowed | undefined;
  readonly detail?: Detail | undefined;
}

/**
 * What the guards found in a plan: first what stops apply, then what was allowed and by what, then warnings.
 * The messages name the place. Without `allowed` the plan is one to review, not one to carry out now.
 */
export function findingLines(
  findings: readonly (GuardFinding & Scoped)[],
  { allowed, detail }: FindingLook,
): readonly Line[] {
  const passes = allows(allowed);
  const isReviewed = allows({ kinds: [], reviewed: allowed?.reviewed ?? [] });
  const refusing = findings.filter(({ effect }) => effect === 'refuse');
  const passing = refusing.filter(passes);
  const stopping = refusing.filter((finding) => !passes(finding));
  return [
    ...refusedGroups(stopping, allowed === undefined ? untilReviewed() : untilAllowed()).flatMap((group) =>
      section({ ...group, style: 'error', detail }),
    ),
    ...section({
      title: 'Allowed: the reviewed plan showed it',
      style: 'warning',
      findings: passing.filter(isReviewed),
      detail,
    }),
    ...section({
      title: 'Allowed for this run',
      style: 'warning',
      findings: passing.filter((finding) => !isReviewed(finding)),
      detail,
    }),
    ...section({
      title: 'Attention',
      style: 'warning',
      findings: findings.filter(({ effect }) => effect === 'warn'),
      detail,
    }),
  ];
}

/**
 * The findings and the notes that warn once more in a line, for the end of a long plan; null where there are none.
 */
export function findingsSummary(plan: Plan, { allowed, detail }: FindingLook): string | null {
  const passes = allows(allowed);
  const stops = (finding: GuardFinding): boolean => finding.effect === 'refuse' && !passes(finding);
  const findings = findingsOf(plan);
  const stopping = findings.filter(stops);
  // As many as are seen above, and how many these are one by one.
  const above = (verb: string, what: string, some: readonly (GuardFinding & Scoped)[]): readonly string[] => {
    const seen = groupFindings(some, detail).length;
    const all = seen === some.length ? '' : ` (${some.length} in all)`;
    return seen === 0
      ? []
      : [`${counted(seen, 'finding')} above ${verb}${seen === 1 ? 's' : ''} ${what}${all}`];
  };
  const parts = [
    ...above(
      'stop',
      'apply',
      stopping.filter(({ kind }) => !isAllowable(kind)),
    ),
    ...above(
      'stop',
      'apply unless allowed',
      stopping.filter(({ kind }) => isAllowable(kind)),
    ),
    ...above(
      'need',
      'attention',
      findings.filter((finding) => !stops(finding)),
    ),
    ...warningsInNotes(plan),
  ];
  return parts.length === 0 ? null : `${parts.join(', ')}.`;
}

/** How many notes warn, to be told with what was found. */
export function warningsInNotes(plan: Plan): readonly string[] {
  const warnings = warningNotes(plan).length;
  return warnings === 0 ? [] : [`${counted(warnings, 'warning')} in the notes`];
}

function allows(
  { kinds, reviewed: shown = [] }: Allowed = { kinds: [] },
): (finding: GuardFinding) => boolean {
  const reviewed = new Set(shown.map(({ kind, message }) => `${kind} ${message}`));
  return ({ kind, message }) =>
    isAllowed(kind, kinds) || (isAllowable(kind) && reviewed.has(`${kind} ${message}`));
}

/** All findings: about the run, then of all scopes, in the order of the plan. */
export function findingsOf({
  findings,
  scopes,
}: Pick<Plan, 'findings' | 'scopes'>): readonly (GuardFinding & Scoped)[] {
  return [...(findings ?? []), ...plannedScopes(scopes).flatMap((scope) => saidOf(scope, scope.findings))];
}

function section({
  title,
  style,
  findings,
  detail,
}: {
  readonly title: string;
  readonly style: Style;
  readonly findings: readonly (GuardFinding & Scoped)[];
  readonly detail: Detail | undefined;
}): readonly Line[] {
  return findings.length === 0
    ? []
    : [
        line(0, span(style, title), ':'),
        ...groupFindings(findings, detail).flatMap((alike) => {
          const { item, scopes } = alike;
          const [first = '', ...rest] = escapeLines(alikeMessage(alike));
          return [
            hanging(2, 4, span(style, `! ${item.kind}`), `  ${first}`),
            ...rest.map((text) => line(6, text)),
            ...(scopes.length === 0 ? [] : [line(6, scopeNames(scopes, escapeText))]),
          ];
        }),
        BLANK,
      ];
}
