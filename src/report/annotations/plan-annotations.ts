import { describedName } from '../../model/described-name.ts';
import type { Plan, Step } from '../../model/plan.ts';
import type { Cause } from '../../model/source.ts';
import { failedScopes, plannedScopes } from '../../model/scope-plans.ts';
import type { Alike } from '../alike-scopes.ts';
import { alikeMessage, groupFindings, scopeNames } from '../alike-scopes.ts';
import { NEVER, untilAllowed, untilReviewed } from '../allowing.ts';
import type { AttentionItem } from '../attention.ts';
import { planAttention } from '../attention.ts';
import { isFound } from '../attention-groups.ts';
import type { BesidePlan } from '../beside-plan.ts';
import { counted } from '../../model/count.ts';
import type { Scoped } from '../own-ids.ts';
import { planSummary } from '../summary.ts';
import type { Annotation } from './annotation.ts';
import { annotationsText } from './annotation.ts';
import { placeOf } from './place.ts';
import { preflightAnnotations } from './preflight-annotations.ts';

/**
 * What a reviewer of a plan has to see, as annotations of GitHub at the rules in the files: what guards found
 * (weakened protection among it), notes that warn, scopes that could not be planned, and what the service would not take.
 */
export function planAnnotations(
  plan: Plan,
  folder: string,
  { preflight = null, moment = 'review' }: BesidePlan = {},
): string {
  const steps = stepsById(plan);
  return annotationsText(
    [
      ...failedAnnotations(plan),
      ...(preflight === null ? [] : preflightAnnotations(preflight, { steps, folder })),
      ...attentionAnnotations(planAttention(plan), {
        folder,
        refused: moment === 'review' ? untilReviewed : untilAllowed,
      }),
    ],
    planSummary(plan),
  );
}

/** Scopes that could not be read or planned. */
export function failedAnnotations(plan: Plan): readonly Annotation[] {
  return failedScopes(plan.scopes).map(({ scope, error: { code, message, hint } }) => ({
    level: 'error',
    title: `${scope.kind} ${scope.name}: ${code}`,
    message: hint === undefined ? message : `${message}\n${hint}`,
  }));
}

/** All steps of a plan by their ids. */
export function stepsById(plan: Plan): ReadonlyMap<string, Step> {
  return new Map(plannedScopes(plan.scopes).flatMap(({ steps }) => steps.map((step) => [step.id, step])));
}

interface Around {
  readonly folder: string;
  /** What lets a finding of the kind pass that refuses, where anything does. */
  readonly refused: (kind: string) => string;
}

/**
 * What needs attention, at the rules that it is about: GitHub shows few annotations, so what is said of the same line for many zones that
 * use a pack is said once.
 */
export function attentionAnnotations(
  items: readonly AttentionItem[],
  { folder, refused }: Around,
): readonly Annotation[] {
  const placed = items.filter(isFound).map((item) => {
    const where = placeOf(folder, item.cause);
    return { ...item, where, place: JSON.stringify(where) };
  });
  return groupFindings(placed).map((alike): Annotation => {
    const { kind, level, rule, description = '', where } = alike.item;
    const told = alikeMessage(alike) + scopesOf(alike);
    const about =
      alike.rules.length === 0
        ? rule && describedName(rule, description)
        : counted(alike.rules.length, 'rule');
    return {
      level: level === 'never' || level === 'refused' ? 'error' : 'warning',
      title: `${kind}${about === undefined || about === '' ? '' : `: ${about}`}`,
      message:
        level === 'never' ? `${told}. ${NEVER}` : level === 'refused' ? `${told}. ${refused(kind)}` : told,
      ...where,
    };
  });
}

function scopesOf({ scopes }: Alike<Scoped>): string {
  return scopes.length === 0 ? '' : ` (${scopeNames(scopes, (name) => name)})`;
}

/** Where a rule of a step stands in the files; what is deleted stands nowhere, and its ruleset answers for it. */
export function causeIn(step: Step | undefined, rule: string | undefined): Cause | undefined {
  const change = step?.changes.find(({ ref }) => ref === rule);
  return change === undefined || change.kind === 'delete' ? step?.cause : change.cause;
}
