import { assertNever } from '../../model/assert-never.ts';
import type { RuleChange } from '../../model/change.ts';
import { phaseFacts } from '../../model/phase.ts';
import type { Drift } from '../../model/drift.ts';
import type { Step } from '../../model/plan.ts';
import { pointerParts } from '../../model/json.ts';
import { plannedScopes } from '../../model/scope-plans.ts';
import { fieldLabel, labelParts } from '../field-label.ts';
import { driftLowering } from '../lowering.ts';
import { driftSummary } from '../summary.ts';
import type { Annotation } from './annotation.ts';
import { annotationsText } from './annotation.ts';
import { placeOf } from './place.ts';
import { failedAnnotations } from './plan-annotations.ts';

/**
 * Drift as annotations of GitHub, at the rules in the files. It warns where live protects less than the files, or
 * may; all else is a notice.
 */
export function driftAnnotations(drift: Drift, folder: string): string {
  const { plan } = drift;
  const reasonOf = driftLowering(drift.changes);
  return annotationsText(
    [
      ...failedAnnotations(plan),
      ...plannedScopes(plan.scopes).flatMap(({ scope: { name }, steps }) =>
        steps.flatMap((step) =>
          step.changes.map((change) =>
            changeAnnotation(change, { step, name, folder, reason: reasonOf(step, change) }),
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
  /** Why live protects less; absent where it does not. */
  readonly reason: string | undefined;
}

function changeAnnotation(change: RuleChange, { step, name, folder, reason }: Place): Annotation {
  const { phase } = step.target;
  return {
    level: reason === undefined ? 'notice' : 'warning',
    title: `drift: ${change.ref}`,
    message: `${name}, ${phaseFacts(phase)?.product ?? phase} (${phase}): rule ${change.ref} ${told(change)}${reason === undefined ? '' : `. Live protects less than the files, or may: ${reason}`}`,
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
