import type { FieldChange } from '../../model/field-change.ts';
import type { Concealed } from '../../model/conceal.ts';
import { concealInFields } from '../../model/conceal.ts';
import { isJsonArray, isJsonObject, jsonEqual, mapTextsIn } from '../../model/json.ts';
import type { JsonValue } from '../../model/json.ts';
import type { RuleContent } from '../../model/rule.ts';
import { contentToWire } from '../../model/rule-fields.ts';
import { HIDDEN_TEXTS, OTHER_SECRET_LIKE, SECRET_LIKE } from '../../model/sensitive.ts';
import { fieldChanges } from '../compare/compare-rules.ts';

/** Returns the paths at which a claimed content differs from live; hidden parts of a text match anything. */
export function contentUntruths(said: RuleContent, live: RuleContent): readonly string[] {
  return fieldChanges(contentToWire(said), contentToWire(live)).flatMap((field) =>
    field.kind === 'changed' && agrees(field.before, field.after) ? [] : [field.path],
  );
}

/** Whether the claimed field changes are true. Of the new values only what has to be hidden may be hidden: they are what was reviewed. */
export function areTrue(
  said: readonly FieldChange[],
  fields: readonly FieldChange[],
  concealed: Concealed,
): boolean {
  const shown = concealInFields(fields, concealed);
  return (
    said.length === fields.length &&
    fields.every((field, index) => {
      const one = said[index];
      return (
        one?.kind === field.kind &&
        one.path === field.path &&
        agrees(beforeOf(one), beforeOf(field)) &&
        (jsonEqual(afterOf(one), afterOf(field)) ||
          jsonEqual(withOneMark(afterOf(one)), withOneMark(afterOf(shown[index] ?? field))))
      );
    })
  );
}

/** Unifies the marks for secrets: whether one secret replaces another cannot be told if the old one was hidden as the value of a variable. */
function withOneMark(value: JsonValue): JsonValue {
  return mapTextsIn(value, (text) => text.replaceAll(OTHER_SECRET_LIKE, SECRET_LIKE));
}

function beforeOf(field: FieldChange): JsonValue {
  return field.kind === 'added' ? null : field.before;
}

function afterOf(field: FieldChange): JsonValue {
  return field.kind === 'removed' ? null : field.after;
}

/** Whether a claimed value equals the live one, as far as it is not hidden. */
export function agrees(said: JsonValue | undefined, live: JsonValue | undefined): boolean {
  if (said === undefined || live === undefined) {
    return said === live;
  }
  if (typeof said === 'string' && typeof live === 'string') {
    return fits(live, shownParts(said));
  }
  if (isJsonArray(said) && isJsonArray(live)) {
    return said.length === live.length && said.every((item, index) => agrees(item, live[index]));
  }
  if (isJsonObject(said) && isJsonObject(live)) {
    return Object.keys({ ...said, ...live }).every((key) => agrees(said[key], live[key]));
  }
  return jsonEqual(said, live);
}

/** Returns the visible parts of a text between its hidden ones. */
function shownParts(said: string): readonly string[] {
  return HIDDEN_TEXTS.reduce<readonly string[]>(
    (parts, mark) => parts.flatMap((part) => part.split(mark)),
    [said],
  );
}

/** Whether a text contains these parts in order, the first at its beginning and the last at its end. */
function fits(text: string, parts: readonly string[]): boolean {
  const [start = '', end = ''] = [parts[0], parts.at(-1)];
  if (parts.length === 1) {
    return text === start;
  }
  let from = start.length;
  for (const part of parts.slice(1, -1)) {
    const at = text.indexOf(part, from);
    if (at === -1) {
      return false;
    }
    from = at + part.length;
  }
  return text.startsWith(start) && text.endsWith(end) && text.length >= from + end.length;
}
