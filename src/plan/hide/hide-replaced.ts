import { isReplaced, isWritten } from '../../model/change.ts';
import type { AddRule, PatchRule, Place, RuleChange } from '../../model/change.ts';
import type { FieldChange } from '../../model/field-change.ts';
import type { PlannedScope, Step } from '../../model/plan.ts';
import type { DesiredRule, RuleContent } from '../../model/rule.ts';
import { contentToWire } from '../../model/rule-fields.ts';
import type { DesiredRuleset } from '../../model/ruleset.ts';
import { addressKey } from '../../model/ruleset.ts';
import { addressOf } from '../names/address.ts';
import { valueAt } from '../compare/compare-rules.ts';
import { hasReferences, hide, hideContent, hideText } from './hide-text.ts';

/**
 * A plan in which no text is shown that a sensitive value takes the place of: it may be the value of before, which is secret until the
 * plan is applied. Rules that go are looked at like those that come: a rule that got another `ref` still has its old value. So are rulesets
 * as files declared them at the base of a change, which may take the declaration away.
 */
export function hideReplaced(plan: PlannedScope, former: readonly DesiredRuleset[] = []): PlannedScope {
  const secret = former.flatMap(({ address, rules }) => {
    const own = rules.filter(({ content }) => hasReferences(content));
    return own.length === 0 ? [] : [[addressKey(address), own] as const];
  });
  const shown = secret.length === 0 ? plan : hideFormer(plan, new Map(secret));
  return shown.steps.some(bringsReferences)
    ? { ...shown, steps: shown.steps.map((step) => hideInStep(step)) }
    : shown;
}

function hideFormer(
  plan: PlannedScope,
  former: ReadonlyMap<string, readonly Pick<DesiredRule, 'ref' | 'content'>[]>,
): PlannedScope {
  return {
    ...plan,
    steps: plan.steps.map((step) => {
      const rules = former.get(addressKey(addressOf(step.target)));
      if (rules === undefined) {
        return step;
      }
      const models = rules.map(({ content }) => content);
      return {
        ...step,
        changes: step.changes.map((change) => hideInPlaces(hideAsIn(change, rules), models)),
      };
    }),
  };
}

/** A change that shows no text where rules of before had a reference: in the rule of its name whatever it is, in others what is like it. */
function hideAsIn(change: RuleChange, rules: readonly Pick<DesiredRule, 'ref' | 'content'>[]): RuleChange {
  if (!isReplaced(change)) {
    return change;
  }
  const names = [change.ref, change.kind === 'patch' ? change.adopts : undefined];
  const models = rules.map(({ ref, content }) => ({
    content,
    how: ref !== undefined && names.includes(ref) ? ('all' as const) : ('like' as const),
  }));
  const before = models.reduce(
    (hidden, { content, how }) => hideContent(hidden, content, how),
    change.before,
  );
  if (change.kind === 'delete') {
    return { ...change, before };
  }
  const wires = models.map(({ content, how }) => ({ wire: contentToWire(content), how }));
  const fields = change.fields.map((field): FieldChange =>
    field.kind === 'added'
      ? field
      : {
          ...field,
          before: wires.reduce(
            (hidden, { wire, how }) => hide(hidden, valueAt(wire, field.path), how),
            field.before,
          ),
        },
  );
  return { ...change, before, fields };
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
