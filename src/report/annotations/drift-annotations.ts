import { assertNever } from '../../model/assert-never.ts';
import { describedNameOf } from '../../model/change.ts';
import type { RuleChange } from '../../model/change.ts';
import { phaseFacts } from '../../model/phase.ts';
import type { Drift } from '../../model/drift.ts';
import type { Step } from '../../model/plan.ts';
import { pointerParts } from '../../model/json.ts';
import { plannedScopes } from '../../model/scope-plans.ts';
import { fieldLabel, labelParts } from '../field-label.ts';
import { untilReviewed } from '../allowing.ts';
import { driftAttention } from '../attention.ts';
import type { Grave } from '../lowering.ts';
import { driftGraves } from '../lowering.ts';
import { driftSummary } from '../summary.ts';
import type { Annotation } from './annotation.ts';
import { annotationsText } from './annotation.ts';
import { placeOf } from './place.ts';
import { attentionAnnotations, failedAnnotations } from './plan-annotations.ts';

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
