import type { FieldChange } from '../model/change.ts';
import type { JsonObject, JsonValue } from '../model/json.ts';
import { isJsonArray, isJsonObject, omit } from '../model/json.ts';
import { contentToWire } from '../model/rule-fields.ts';
import type { RuleContent } from '../model/rule.ts';
import { fieldLabel, overriddenRule, pointerParts } from './field-label.ts';
import { leavesOf } from './value.ts';

/** One field to be shown: what it is, or how it differs. A side that is absent is not set. */
export interface FieldRow {
  readonly label: string;
  /** Heading under which the row stands, such as the managed rule that is overridden; "" for none. */
  readonly group: string;
  readonly value:
    | { readonly kind: 'is'; readonly value: JsonValue }
    | { readonly kind: 'differs'; readonly before?: JsonValue; readonly after?: JsonValue };
}

/** Everything that a rule says, defaults left out. */
export function contentRows(content: RuleContent): readonly FieldRow[] {
  const wire = contentToWire(content);
  const shown = content.enabled ? omit(wire, ['enabled']) : wire;
  return Object.entries(shown).flatMap(([key, value]) =>
    flatten([key], value, (leaf) => ({ kind: 'is', value: leaf })),
  );
}

/** The differences of a rule, field by field. */
export function changeRows(fields: readonly FieldChange[]): readonly FieldRow[] {
  return fields.flatMap((field) => {
    const parts = pointerParts(field.path);
    switch (field.kind) {
      case 'added':
        return flatten(parts, field.after, (after) => ({ kind: 'differs', after }));
      case 'removed':
        return flatten(parts, field.before, (before) => ({ kind: 'differs', before }));
      case 'changed':
        return [
          { ...placed(parts), value: { kind: 'differs', before: field.before, after: field.after } },
        ];
      default:
        return field satisfies never;
    }
  });
}

function flatten(
  parts: readonly string[],
  value: JsonValue,
  of: (leaf: JsonValue) => FieldRow['value'],
): readonly FieldRow[] {
  const byRule = overridesByRule(parts, value);
  if (byRule !== null) {
    return byRule.flatMap(({ id, override }) => flatten([...OVERRIDE_RULES, id], override, of));
  }
  const inner = overriddenRule(parts)?.rest.length === 0 && isJsonObject(value) ? omit(value, ['id']) : value;
  return leavesOf(inner, parts).flatMap((leaf) => {
    const nested = overridesByRule(leaf.path, leaf.value);
    return nested === null
      ? [{ ...placed(leaf.path), value: of(leaf.value) }]
      : flatten(leaf.path, leaf.value, of);
  });
}

const OVERRIDE_RULES = ['action_parameters', 'overrides', 'rules'] as const;

/** The entries of `overrides.rules` when each names its rule. */
function overridesByRule(
  parts: readonly string[],
  value: JsonValue,
): readonly { readonly id: string; readonly override: JsonObject }[] | null {
  if (parts.join('/') !== OVERRIDE_RULES.join('/') || !isJsonArray(value)) {
    return null;
  }
  const entries = value.flatMap((entry) =>
    isJsonObject(entry) && typeof entry['id'] === 'string' ? [{ id: entry['id'], override: entry }] : [],
  );
  return entries.length === value.length ? entries : null;
}

function placed(parts: readonly string[]): Pick<FieldRow, 'label' | 'group'> {
  const override = overriddenRule(parts);
  return override === null
    ? { label: fieldLabel(parts), group: '' }
    : { label: override.rest.map(String).join('.') || 'override', group: `overrides of rule ${override.id}` };
}
