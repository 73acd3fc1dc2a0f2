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
 * Formats everything that a reviewer of a plan must see as GitHub annotations at the rules in the files: findings of guards (including
 * weakened protection), notes that warn, scopes that could not be planned, and writes that the service would refuse.
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

/** Returns annotations about the scopes that could not be read or planned. */
export function failedAnnotations(plan: Plan): readonly Annotation[] {
  return failedScopes(plan.scopes).map(({ scope, error: { code, message, hint } }) => ({
    level: 'error',
    title: `${scope.kind} ${scope.name}: ${code}`,
    message: hint === undefined ? message : `${message}\n${hint}`,
  }));
}

/** Returns all steps of a plan by id. */
export function stepsById(plan: Plan): ReadonlyMap<string, Step> {
  return new Map(plannedScopes(plan.scopes).flatMap(({ steps }) => steps.map((step) => [step.id, step])));
}

interface Around {
  readonly folder: string;
  /** Returns the note about how a refused finding of the kind can be allowed. */
  readonly refused: (kind: string) => string;
}

/**
 * Returns annotations for what needs attention, at the rules that it is about. GitHub shows few annotations, so a remark about one line for
 * many zones that use a pack is shown once.
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

/** Returns where the files declare a rule of a step. For a deleted rule, which the files do not contain, returns the place of its ruleset. */
export function causeIn(step: Step | undefined, rule: string | undefined): Cause | undefined {
  const change = step?.changes.find(({ ref }) => ref === rule);
  return change === undefined || change.kind === 'delete' ? step?.cause : change.cause;
}
