import type { GuardFinding, Plan, PlanNote, Step } from '../../model/plan.ts';
import type { Cause } from '../../model/source.ts';
import { untilReviewed } from '../allowing.ts';
import { findingsOf } from '../lines/finding.ts';
import { isWarning } from '../notes.ts';
import { planSummary } from '../summary.ts';
import type { Annotation } from './annotation.ts';
import { annotationsText } from './annotation.ts';
import { placeOf } from './place.ts';

/**
 * What a reviewer of a plan has to see, as annotations of GitHub at the rules in the files: what guards found
 * (weakened protection among it), notes that warn, and scopes that could not be planned.
 */
export function planAnnotations(plan: Plan, folder: string): string {
  const steps = stepsById(plan);
  const notes = plan.scopes.flatMap((scope) => (scope.kind === 'planned' ? scope.notes : []));
  return annotationsText(
    [
      ...failedAnnotations(plan),
      ...findingsOf(plan).map((finding) =>
        findingAnnotation(finding, { steps, folder, refused: untilReviewed }),
      ),
      ...notes.filter(({ kind }) => isWarning(kind)).map((note) => noteAnnotation(note, folder)),
    ],
    planSummary(plan),
  );
}

/** Scopes that could not be read or planned. */
export function failedAnnotations(plan: Plan): readonly Annotation[] {
  return plan.scopes.flatMap((scope): readonly Annotation[] =>
    scope.kind === 'failed'
      ? [
          {
            level: 'error',
            title: `${scope.scope.kind} ${scope.scope.name}: ${scope.error.code}`,
            message: [
              scope.error.message,
              ...(scope.error.hint === undefined ? [] : [scope.error.hint]),
            ].join('\n'),
          },
        ]
      : [],
  );
}

/** All steps of a plan by their ids. */
export function stepsById(plan: Plan): ReadonlyMap<string, Step> {
  return new Map(
    plan.scopes.flatMap((scope) =>
      scope.kind === 'planned' ? scope.steps.map((step) => [step.id, step]) : [],
    ),
  );
}

interface Around {
  readonly steps: ReadonlyMap<string, Step>;
  readonly folder: string;
  /** What lets a finding of the kind pass that refuses. */
  readonly refused: (kind: string) => string;
}

/** What a guard found, at the rule that it is about. */
export function findingAnnotation(
  { kind, effect, step, rule, message }: GuardFinding,
  { steps, folder, refused }: Around,
): Annotation {
  return {
    level: effect === 'refuse' ? 'error' : 'warning',
    title: `${kind}${rule === undefined ? '' : `: ${rule}`}`,
    message: effect === 'refuse' ? `${message}. ${refused(kind)}` : message,
    ...placeOf(folder, causeIn(steps.get(step ?? ''), rule)),
  };
}

/** Where a rule of a step stands in the files; what is deleted stands nowhere, and its ruleset answers for it. */
export function causeIn(step: Step | undefined, rule: string | undefined): Cause | undefined {
  const change = step?.changes.find(({ ref }) => ref === rule);
  return change === undefined || change.kind === 'delete' ? step?.cause : change.cause;
}

function noteAnnotation({ kind, step, rule, message, cause }: PlanNote, folder: string): Annotation {
  return {
    level: 'warning',
    title: rule === '' ? kind : `${kind}: ${rule}`,
    message: `${step}: ${message}`,
    ...placeOf(folder, cause),
  };
}
