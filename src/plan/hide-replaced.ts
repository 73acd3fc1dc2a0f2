import type { FieldChange, PatchRule, RuleChange } from '../model/change.ts';
import type { JsonObject, JsonValue } from '../model/json.ts';
import { isJsonArray, isJsonObject } from '../model/json.ts';
import type { PlannedScope, Step } from '../model/plan.ts';
import { HIDDEN, referencesIn } from '../model/sensitive.ts';

/**
 * A plan in which no text is shown that a sensitive value takes the place of: it may be the value of before, which is secret until the
 * plan is applied. As much of it as is said around the value stays.
 */
export function hideReplaced(plan: PlannedScope): PlannedScope {
  return { ...plan, steps: plan.steps.map((step) => hideInStep(step)) };
}

function hideInStep(step: Step): Step {
  return { ...step, changes: step.changes.map((change) => hideInChange(change)) };
}

function hideInChange(change: RuleChange): RuleChange {
  return change.kind === 'patch' && referencesIn(JSON.stringify(change.content)).length > 0
    ? hideInPatch(change)
    : change;
}

function hideInPatch(change: PatchRule): PatchRule {
  const { before, content } = change;
  return {
    ...change,
    fields: change.fields.map((field) => hideInField(field)),
    before: {
      ...before,
      expression: hideText(before.expression, content.expression),
      description: hideText(before.description, content.description),
      ...hideMembers(before.action_parameters, content.action_parameters, 'action_parameters'),
      ...hideMembers(before.ratelimit, content.ratelimit, 'ratelimit'),
      ...hideMembers(before.extra, content.extra, 'extra'),
    },
  };
}

function hideMembers<Key extends string>(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  key: Key,
): Partial<Record<Key, JsonObject>> {
  const hidden = before === undefined ? undefined : hide(before, after ?? {});
  const members: Partial<Record<string, JsonObject>> = isJsonObject(hidden) ? { [key]: hidden } : {};
  return members;
}

function hideInField(field: FieldChange): FieldChange {
  return field.kind === 'changed' ? { ...field, before: hide(field.before, field.after) } : field;
}

function hide(before: JsonValue, after: JsonValue | undefined): JsonValue {
  if (typeof before === 'string' && typeof after === 'string') {
    return hideText(before, after);
  }
  if (isJsonArray(before) && isJsonArray(after)) {
    return before.map((item, index) => hide(item, after[index]));
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    return Object.fromEntries(Object.entries(before).map(([key, member]) => [key, hide(member, after[key])]));
  }
  return before;
}

function hideText(before: string, after: string): string {
  const [reference] = referencesIn(after);
  if (reference === undefined || before === after) {
    return before;
  }
  const start = after.slice(0, after.indexOf(reference));
  const end = after.slice(after.lastIndexOf('<sensitive')).replace(/^<sensitive[^>]*>/u, '');
  return before.startsWith(start) && before.endsWith(end) && before.length >= start.length + end.length
    ? `${start}${HIDDEN}${end}`
    : HIDDEN;
}
