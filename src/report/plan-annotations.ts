import { authorsText, toldAuthors } from './authors.ts';
import { assertNever, pointerParts } from '../data/index.ts';
import { describedName, failedScopes, plannedScopes, describedNameOf, phaseFacts } from '../model/index.ts';
import type {
  Plan,
  Step,
  Cause,
  ObjectStep,
  RuleChange,
  Drift,
  Preflight,
  StepPreflight,
  Outcome,
  PlanNote,
  OutcomesDocument,
} from '../model/index.ts';
import { counted, oneLine } from '../text/index.ts';
import { alikeMessage, groupFindings, scopeNames } from './alike-scopes.ts';
import type { Alike } from './alike-scopes.ts';
import { NEVER, untilAllowed, untilReviewed } from './allowing.ts';
import { annotationsText, placeOf } from './annotation.ts';
import type { Annotation } from './annotation.ts';
import { planAttention, isFound, driftAttention, outcomesAttention } from './attention.ts';
import type { AttentionItem } from './attention.ts';
import { fieldLabel, labelParts } from './field-rows.ts';
import { noteRule } from './notes.ts';
import { objectName, objectStateText, objectStepCounts } from './object-changes.ts';
import { outcomeMessages, outcomesSummary } from './outcomes-summary.ts';
import type { Scoped } from './own-names.ts';
import type { BesidePlan } from './plan-document.ts';
import { notCheckedReasons, weighPreflight } from './preflight-document.ts';
import { driftSeverity, weakeningOf } from './severity.ts';
import type { SevereEffects } from './severity.ts';
import { planSummary, driftSummary } from './summary.ts';

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

interface AnnotationPlacing {
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
  { folder, refused }: AnnotationPlacing,
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
  const severityOf = driftSeverity(drift.changes);
  const authors = toldAuthors(drift);
  return annotationsText(
    [
      ...failedAnnotations(plan),
      // Severe drift is annotated at the rules themselves.
      ...attentionAnnotations(
        driftAttention(drift).filter(({ level }) => level === 'noted'),
        { folder, refused: untilReviewed },
      ),
      ...plannedScopes(plan.scopes).flatMap(({ scope: { name }, objects = [] }) =>
        objects.map((step) =>
          objectAnnotation(step, {
            name,
            folder,
            changes: drift.changes,
            by: authorsText(authors.ofObject(step)),
          }),
        ),
      ),
      ...plannedScopes(plan.scopes).flatMap(({ scope: { name }, steps }) =>
        steps.flatMap((step) =>
          step.changes.map((change) =>
            changeAnnotation(change, {
              step,
              name,
              folder,
              warnings: warningsOf(severityOf(step, change)),
              by: authorsText(authors.ofRule(step, change)),
            }),
          ),
        ),
      ),
    ],
    driftSummary(plan),
  );
}

/** Formats the difference of a list or setting, at its place in the files, with what live thereby does. */
function objectAnnotation(
  step: ObjectStep,
  { name, folder, changes, by }: Pick<Drift, 'changes'> & Pick<AnnotatedChange, 'name' | 'folder' | 'by'>,
): Annotation {
  const warnings = changes.flatMap((change) => {
    const reason = change.step === step.id ? weakeningOf(change) : undefined;
    const { rule, description = '' } = change;
    const who = rule === '' ? '' : `rule ${describedName(rule, description)} `;
    return severely('Live protects less than the files, or may:', reason && `${who}${reason}`);
  });
  const state = objectStateText(step, 'drift') || `differs live: ${objectStepCounts(step, 'drift')}`;
  const object = oneLine(objectName(step));
  return {
    level: warnings.length === 0 ? 'notice' : 'warning',
    title: `drift: ${object}`,
    message: [`${name}: ${object}: ${state}`, ...warnings, ...by].join('. '),
    ...placeOf(folder, step.cause),
  };
}

interface AnnotatedChange {
  readonly step: Step;
  readonly name: string;
  readonly folder: string;
  /** The effects of live on every request, and why it protects less. */
  readonly warnings: readonly string[];
  /** Who made it, as far as that is known. */
  readonly by: readonly string[];
}

function warningsOf({ ends, opens, lowers }: SevereEffects): readonly string[] {
  return [
    ...severely('Live', ends),
    ...severely('Live', opens),
    ...severely('Live protects less than the files, or may:', lowers),
  ];
}

function severely(what: string, reason: string | undefined): readonly string[] {
  return reason === undefined ? [] : [`${what} ${reason}`];
}

function changeAnnotation(
  change: RuleChange,
  { step, name, folder, warnings, by }: AnnotatedChange,
): Annotation {
  const { phase } = step.target;
  const rule = describedNameOf(change);
  return {
    level: warnings.length === 0 ? 'notice' : 'warning',
    title: `drift: ${rule}`,
    message: [
      `${name}, ${phaseFacts(phase)?.product ?? phase} (${phase}): rule ${rule} ${told(change)}`,
      ...warnings,
      ...by,
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

/** The steps of a plan by id, and the project's folder in its repository. */
interface StepPlaces {
  readonly steps: ReadonlyMap<string, Step>;
  readonly folder: string;
}

/** Returns annotations for writes that the service would refuse, at the rules in the files, and for what it did not check. */
export function preflightAnnotations(preflight: Preflight, around: StepPlaces): readonly Annotation[] {
  const { error, warning } = weighPreflight(preflight);
  return [
    ...error.flatMap((found) => checkedAnnotations(found, around)),
    ...notCheckedReasons(warning).map((message): Annotation => ({
      level: 'warning',
      title: 'preflight: not checked',
      message,
    })),
  ];
}

function checkedAnnotations(found: StepPreflight, { steps, folder }: StepPlaces): readonly Annotation[] {
  const own = placeOf(folder, steps.get(found.step)?.cause);
  const title = `${found.step}: preflight ${found.kind}`;
  switch (found.kind) {
    case 'passed':
    case 'not-checked':
      return [];
    case 'refused':
      return found.refusals.map(({ rule, description = '', message, cause }) => ({
        level: 'error',
        title,
        message: rule === undefined ? message : `${describedName(rule, description)}: ${message}`,
        ...(cause === undefined ? own : placeOf(folder, cause)),
      }));
    case 'stale':
      return [{ level: 'error', title, message: found.message, ...own }];
    case 'failed':
    case 'wrote':
      return [
        { level: 'error', title, message: [found.message, found.hint ?? ''].join('\n').trimEnd(), ...own },
      ];
    default:
      return assertNever(found);
  }
}

/** Formats everything of an apply that was refused or did not go as planned as GitHub annotations, at the rulesets in the files. */
export function outcomesAnnotations(plan: Plan, document: OutcomesDocument, folder: string): string {
  const { outcomes, rollback, differences = [], leftOut = [] } = document;
  const steps = stepsById(plan);
  return annotationsText(
    [
      ...failedAnnotations(plan),
      ...attentionAnnotations(
        outcomesAttention(document)
          .filter(isFound)
          .map((item) => ({ ...item, cause: causeIn(steps.get(item.step ?? ''), item.rule) })),
        { folder, refused: untilAllowed },
      ),
      ...differences.map(({ place, rule, message }): Annotation => ({
        level: 'error',
        title: `not the reviewed plan: ${rule ?? place}`,
        message: `${place}: ${message}`,
        ...placeOf(folder, causeIn(steps.get(place), rule)),
      })),
      ...outcomes.flatMap((outcome): readonly Annotation[] => {
        const told = trouble(outcome);
        const title = `${outcome.step}: ${outcome.kind}`;
        return told === null ? [] : [{ ...told, title, ...placeOf(folder, steps.get(outcome.step)?.cause) }];
      }),
      ...(rollback?.outcomes ?? []).flatMap((outcome): readonly Annotation[] => {
        const told = trouble(outcome);
        const title = `${outcome.step}: not put back`;
        return told === null ? [] : [{ ...told, title, ...placeOf(folder, steps.get(outcome.step)?.cause) }];
      }),
      ...leftOut.map((note): Annotation => ({
        level: 'warning',
        title: `${note.step}: left out`,
        message: noteText(note),
        ...placeOf(folder, note.cause),
      })),
      ...(rollback?.notes ?? []).map((note): Annotation => ({
        level: 'warning',
        title: `${note.step}: put back`,
        message: noteText(note),
        ...placeOf(folder, causeIn(steps.get(note.step), note.rule)),
      })),
    ],
    outcomesSummary(document),
  );
}

function noteText(note: PlanNote): string {
  return `${noteRule(note)} ${note.message}`.trimStart();
}

function trouble(outcome: Outcome): Pick<Annotation, 'level' | 'message'> | null {
  switch (outcome.kind) {
    case 'done':
    case 'skipped':
      return null;
    case 'not-reached':
      return { level: 'warning', message: outcomeMessages(outcome).join('\n') };
    case 'refused':
    case 'failed':
    case 'conflict': {
      const refusals = outcome.kind === 'failed' ? (outcome.refusals ?? []) : [];
      const lines = [
        ...outcomeMessages(outcome),
        ...refusals.map(
          ({ rule = 'ruleset', description = '', message }) =>
            `${describedName(rule, description)}: ${message}`,
        ),
      ];
      return {
        level: 'error',
        message: [...lines, ...(outcome.hint === undefined ? [] : [outcome.hint])].join('\n'),
      };
    }
    default:
      return assertNever(outcome);
  }
}
