import type { Drift, Permission, Plan } from '../../model/index.ts';
import { someNames, counted } from '../../text/index.ts';
import { changesAnything, failedScopes, isUnchecked } from '../../model/index.ts';
import { alikePlans } from '../alike-plans.ts';
import type { AttentionItem, FoundGroup, ReportMoment } from '../attention.ts';
import {
  driftAttention,
  planAttention,
  attentionCounts,
  attentionGroups,
  isFoundGroup,
} from '../attention.ts';
import { foundLines, findingLines } from '../lines/finding-lines.ts';
import { groupFailed, countFailed, driftSummary, planSummary } from '../summary.ts';
import type { Line, Look } from '../layout.ts';
import { BLANK, layOut, line, span } from '../layout.ts';
import { failedLines, scopeLines } from '../lines/step-lines.ts';
import type { StepLook } from '../lines/step-lines.ts';
import { driftGraves, planGraves } from '../severity.ts';
import { carriedText, countRespelled, undeclaredText } from '../notes.ts';
import { inPieces, inTurn, wholeText } from '../pieces.ts';
import { planNames } from '../plan-names.ts';
import { DRIFT, PLAN } from '../telling.ts';

/** How to show a plan, what is allowed, and what live was compared with. */
export interface PlanLook extends Look {
  readonly allowed?: Permission | undefined;
  /** What live was compared with; `the files` unless given. */
  readonly against?: string | undefined;
}

/**
 * Formats a plan for people: findings, then what changes scope by scope, then the counts. `allowed` is what apply was told to allow;
 * without it the plan is one to review.
 */
export function planText(plan: Plan, look: PlanLook): string {
  return wholeText(planPieces(plan, look));
}

/** Formats as `planText` does, but in pieces, scope by scope. */
export function planPieces(plan: Plan, look: PlanLook): Iterable<string> {
  const items = planAttention(plan, look.allowed);
  const head = [
    ...(changesAnything(plan) ? [line(0, `Plan for ${plan.baseUrl}`), BLANK] : []),
    ...foundGroups(items, { ...look, moment: look.allowed === undefined ? 'review' : 'run' }).flatMap(
      findingLines,
    ),
  ];
  const end = [...closingLines(plan, planSummary(plan, look.against), look), ...countLines(items, look)];
  const body = bodyTexts(plan, look, {
    telling: PLAN,
    graves: planGraves(plan),
    names: planNames(plan),
  });
  return inPieces(inTurn([layOut(head, look)], body, [layOut(end, look)]));
}

/** Returns the groups of findings for the top; notes and scopes that could not be planned come below. */
function foundGroups(
  items: readonly AttentionItem[],
  { moment, detail }: Pick<Look, 'detail'> & { readonly moment: ReportMoment },
): readonly FoundGroup[] {
  return attentionGroups(
    items.filter(({ level }) => level !== 'noted'),
    { moment, detail },
  ).filter(isFoundGroup);
}

/** Returns a line with the counts of the findings, which have scrolled away at the end of a long plan. */
function countLines(items: readonly AttentionItem[], { detail }: Look): readonly Line[] {
  const text = attentionCounts(items, { where: 'end', detail });
  return text === null ? [] : [line(0, span('warning', text))];
}

/** Formats the changes of a plan as drift: how live has come to differ from the files. In pieces, scope by scope. */
export function driftPieces(drift: Drift, look: Look): Iterable<string> {
  const { plan } = drift;
  const items = driftAttention(drift);
  const head = changesAnything(plan)
    ? [
        line(0, `Drift of ${plan.baseUrl}: live against the files`),
        line(0, span('dim', '+ only live   - missing live   ~ different   > in another place')),
        BLANK,
        ...foundGroups(items, { ...look, moment: 'review' }).flatMap((group) =>
          foundLines(group, { ...look, more: 'marked below' }),
        ),
      ]
    : [];
  const end = [...closingLines(plan, driftSummary(plan), look), ...countLines(items, look)];
  const graves = driftGraves(drift.changes);
  const body = bodyTexts(plan, look, { telling: DRIFT, graves, names: planNames(plan) });
  return inPieces(inTurn([layOut(head, look)], body, [layOut(end, look)]));
}

/** Yields scope by scope, so that only the lines of one scope are in memory. */
function* bodyTexts(
  plan: Plan,
  look: Look,
  told: Pick<StepLook, 'telling' | 'graves' | 'names'>,
): Iterable<string> {
  const failed = groupFailed(failedScopes(plan.scopes));
  const shown = alikePlans(plan.scopes, look);
  for (const scope of plan.scopes) {
    if (scope.kind === 'failed') {
      // A reason that scopes share is shown once, at the first of them.
      yield layOut(
        failed.filter(({ scopes }) => scopes[0] === scope.scope).flatMap((group) => failedLines(group)),
        look,
      );
      continue;
    }
    const others = shown.get(scope);
    if (others !== undefined) {
      yield layOut(scopeLines(scope, others, { ...told, width: look.width, detail: look.detail }), look);
    }
  }
}

function closingLines(plan: Plan, summary: string, { detail }: Look): readonly Line[] {
  const unchecked = failedScopes(plan.scopes).filter(isUnchecked).length;
  const failed = countFailed(plan) - unchecked;
  const planned = plan.scopes.length - failed - unchecked;
  const respelled = countRespelled(plan);
  const carried = carriedText(plan);
  const undeclared = undeclaredText(plan);
  return [
    ...(planned === 0 && failed + unchecked > 0 ? [] : [line(0, span('strong', summary))]),
    ...(failed === 0
      ? []
      : [
          line(
            0,
            span('error', `${counted(failed, 'scope')} of ${plan.scopes.length} could not be planned`),
            `${failedNames(plan)}.`,
          ),
        ]),
    ...(unchecked === 0
      ? []
      : [
          line(
            0,
            `${counted(unchecked, 'scope')} of ${plan.scopes.length} not checked: the next run begins with them.`,
          ),
        ]),
    ...(undeclared === null ? [] : [line(0, undeclared)]),
    ...(respelled === 0 || detail === 'each'
      ? []
      : [
          line(
            0,
            span(
              'dim',
              `${counted(respelled, 'expression')} with an equivalent spelling live: see --verbose.`,
            ),
          ),
        ]),
    ...(carried === null || detail === 'each' ? [] : [line(0, span('dim', `${carried}: see --verbose.`))]),
  ];
}

/** The number of failed scopes named at the end: in a plan of many scopes, their errors have scrolled away. */
const NAMED = 3;

function failedNames({ scopes }: Plan): string {
  const failed = failedScopes(scopes).filter((scope) => !isUnchecked(scope));
  const names = failed.map(({ scope }) => `${scope.kind} ${scope.name}`);
  return scopes.length <= NAMED || failed.length === scopes.length ? '' : `: ${someNames(names, NAMED)}`;
}
