import { isWritten } from '../../model/change.ts';
import type { AddRule, FieldChange, PatchRule, Place, RuleChange } from '../../model/change.ts';
import type { PlannedScope, Step } from '../../model/plan.ts';
import type { RuleContent } from '../../model/rule.ts';
import { hasReferences, hide, hideContent, hideText } from './hide-text.ts';

/**
 * A plan in which no text is shown that a sensitive value takes the place of: it may be the value of before, which is secret until the
 * plan is applied. Rules that go are looked at like those that come: a rule that got another `ref` still has its old value.
 */
export function hideReplaced(plan: PlannedScope): PlannedScope {
  return plan.steps.some(bringsReferences)
    ? { ...plan, steps: plan.steps.map((step) => hideInStep(step)) }
    : plan;
}

/** Whether anything that a step writes has a reference: of the rest of a plan, three quarters of it, nothing takes the place of a text. */
function bringsReferences(step: Step): boolean {
  return (
    (step.operation === 'update' && step.description !== undefined && hasReferences(step.description)) ||
    step.changes.some(writesReference)
  );
}

function writesReference(change: RuleChange): change is AddRule | PatchRule {
  return isWritten(change) && hasReferences(change.content);
}

function hideInStep(step: Step): Step {
  const models = step.changes.filter(writesReference).map(({ content }) => content);
  const changes = step.changes.map((change) => hideInPlaces(hideInChange(change, models), models));
  if (step.operation !== 'update' || step.description === undefined) {
    return { ...step, changes };
  }
  const { before, after } = step.description;
  const hidden = hide(before, after, 'all');
  return { ...step, changes, description: { before: typeof hidden === 'string' ? hidden : before, after } };
}

function hideInChange(change: RuleChange, models: readonly RuleContent[]): RuleChange {
  if (change.kind === 'delete') {
    const before = models.reduce((content, model) => hideContent(content, model, 'like'), change.before);
    return { ...change, before };
  }
  return change.kind === 'patch' && hasReferences(change.content)
    ? {
        ...change,
        fields: change.fields.map((field) => hideInField(field)),
        before: hideContent(change.before, change.content, 'all'),
      }
    : change;
}

/** The rule that another one comes after may go. */
function hideInPlaces(change: RuleChange, models: readonly RuleContent[]): RuleChange {
  const hidden = (place: Place): Place =>
    place.description === undefined
      ? place
      : {
          ...place,
          description: models.reduce(
            (text, { description }) => hideText(text, description, 'like'),
            place.description,
          ),
        };
  if (change.kind === 'delete') {
    return { ...change, place: hidden(change.place) };
  }
  return change.kind === 'add' || change.move === undefined
    ? change
    : { ...change, move: { ...change.move, from: hidden(change.move.from) } };
}

function hideInField(field: FieldChange): FieldChange {
  return field.kind === 'changed' ? { ...field, before: hide(field.before, field.after, 'all') } : field;
}
