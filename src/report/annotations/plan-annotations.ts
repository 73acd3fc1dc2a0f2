import {
  describedName,
  failedScopes,
  plannedScopes,
  describedNameOf,
  phaseFacts,
} from '../../model/index.ts';
import type { Plan, Step, Cause, ListStep, RuleChange, Drift } from '../../model/index.ts';
import type { Alike } from '../alike-scopes.ts';
import { alikeMessage, groupFindings, scopeNames } from '../alike-scopes.ts';
import { NEVER, untilAllowed, untilReviewed } from '../allowing.ts';
import type { AttentionItem } from '../attention.ts';
import { planAttention, isFound, driftAttention } from '../attention.ts';
import type { BesidePlan } from '../plan-document.ts';
import { counted, oneLine } from '../../text/index.ts';
import { listStateText, listStepCounts } from '../list-changes.ts';
import type { Scoped } from '../own-ids.ts';
import { planSummary, driftSummary } from '../summary.ts';
import { assertNever, pointerParts } from '../../data/index.ts';
import { fieldLabel, labelParts } from '../field-label.ts';
import type { Grave } from '../severity.ts';
import { driftGraves, weakeningOf } from '../severity.ts';
import type { Annotation } from './annotation.ts';
import { annotationsText, placeOf } from './annotation.ts';
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

/**
 * Formats drift as GitHub annotations at the rules in the files. A change is a warning when live ends every request, lets every request
 * past protection, or protects or may protect less than the files; every other change is a notice.
 */
export function driftAnnotations(drift: Drift, folder: string): string {
  const { plan } = drift;
  const graves = driftGraves(drift.changes);
  return annotationsText(
    [
      ...failedAnnotations(plan),
      // Grave drift is annotated at the rules themselves.
      ...attentionAnnotations(
        driftAttention(drift).filter(({ level }) => level === 'noted'),
        { folder, refused: untilReviewed },
      ),
      ...plannedScopes(plan.scopes).flatMap(({ scope: { name }, objects = [] }) =>
        objects.map((step) => listAnnotation(step, { name, folder, changes: drift.changes })),
      ),
      ...plannedScopes(plan.scopes).flatMap(({ scope: { name }, steps }) =>
        steps.flatMap((step) =>
          step.changes.map((change) =>
            changeAnnotation(change, {
              step,
              name,
              folder,
              warnings: warningsOf(graves(step, change)),
            }),
          ),
        ),
      ),
    ],
    driftSummary(plan),
  );
}

/** Formats the difference of a list, at its place in the files, with what live thereby does by the rules that name it. */
function listAnnotation(
  step: ListStep,
  { name, folder, changes }: Pick<Drift, 'changes'> & Pick<Place, 'name' | 'folder'>,
): Annotation {
  const warnings = changes.flatMap((change) => {
    const reason = change.step === step.id ? weakeningOf(change) : undefined;
    const { rule, description = '' } = change;
    const who = rule === '' ? '' : `rule ${describedName(rule, description)} `;
    return gravely('Live protects less than the files, or may:', reason && `${who}${reason}`);
  });
  const state = listStateText(step, 'drift') || `differs live: ${listStepCounts(step, 'drift')}`;
  const list = `list ${oneLine(step.target.name)}`;
  return {
    level: warnings.length === 0 ? 'notice' : 'warning',
    title: `drift: ${list}`,
    message: [`${name}: ${list}: ${state}`, ...warnings].join('. '),
    ...placeOf(folder, step.cause),
  };
}

interface Place {
  readonly step: Step;
  readonly name: string;
  readonly folder: string;
  /** The effects of live on every request, and why it protects less. */
  readonly warnings: readonly string[];
}

function warningsOf({ ends, opens, lowers }: Grave): readonly string[] {
  return [
    ...gravely('Live', ends),
    ...gravely('Live', opens),
    ...gravely('Live protects less than the files, or may:', lowers),
  ];
}

function gravely(what: string, reason: string | undefined): readonly string[] {
  return reason === undefined ? [] : [`${what} ${reason}`];
}

function changeAnnotation(change: RuleChange, { step, name, folder, warnings }: Place): Annotation {
  const { phase } = step.target;
  const rule = describedNameOf(change);
  return {
    level: warnings.length === 0 ? 'notice' : 'warning',
    title: `drift: ${rule}`,
    message: [
      `${name}, ${phaseFacts(phase)?.product ?? phase} (${phase}): rule ${rule} ${told(change)}`,
      ...warnings,
    ].join('. '),
    ...placeOf(folder, change.kind === 'delete' ? step.cause : change.cause),
  };
}

function told(change: RuleChange): string {
  switch (change.kind) {
    case 'add':
      return 'is missing live';
    case 'delete':
      return 'is only live';
    case 'move':
      return 'is in another place live';
    case 'patch': {
      const fields = change.fields.map(({ path }) => fieldLabel(labelParts(pointerParts(path))));
      return `differs live: ${fields.join(', ')}`;
    }
    default:
      return assertNever(change);
  }
}
