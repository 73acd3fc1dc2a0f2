import type { JsonValue } from '../../model/json.ts';
import { isJsonArray, isJsonObject } from '../../model/json.ts';
import type { RuleContent } from '../../model/rule.ts';
import { contentFromWire, contentToWire } from '../../model/rule-fields.ts';
import { HIDDEN, referencesIn } from '../../model/sensitive.ts';

/**
 * What is done to a text whose model has a reference. A text is like its model when it says the same around the value.
 * `all`: hide the value, and any other text whole. `like`: hide the value, and leave any other text. `renew`: give the text of the model,
 * and hide any other whole.
 */
export type Hiding = 'all' | 'like' | 'renew';

/**
 * A value in which no text is shown where its model, a value of the same shape, has the reference of a sensitive value: it may be the value
 * of before. As much of it as the model says around the reference stays.
 */
export function hide(value: JsonValue, model: JsonValue | undefined, how: Hiding): JsonValue {
  if (typeof value === 'string' && typeof model === 'string') {
    return hideText(value, model, how);
  }
  if (isJsonArray(value) && isJsonArray(model)) {
    return value.map((item, index) => hide(item, model[index], how));
  }
  if (isJsonObject(value) && isJsonObject(model)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, hide(member, model[key], how)]),
    );
  }
  return value;
}

/** A rule's content, hidden where that of its model has references. */
export function hideContent(content: RuleContent, model: RuleContent, how: Hiding): RuleContent {
  const hidden = hasReferences(model) ? hide(contentToWire(content), contentToWire(model), how) : null;
  return isJsonObject(hidden) ? contentFromWire(hidden) : content;
}

/** Whether a value, as JSON says it, has the reference of a sensitive value anywhere. */
export function hasReferences(value: unknown): boolean {
  return referencesIn(JSON.stringify(value)).length > 0;
}

function hideText(text: string, model: string, how: Hiding): string {
  const [reference] = referencesIn(model);
  if (reference === undefined || text === model) {
    return text;
  }
  const start = model.slice(0, model.indexOf(reference));
  const end = model.slice(model.lastIndexOf('<sensitive')).replace(/^<sensitive[^>]*>/u, '');
  const isLike = text.startsWith(start) && text.endsWith(end) && text.length >= start.length + end.length;
  if (isLike) {
    return how === 'renew' ? model : `${start}${HIDDEN}${end}`;
  }
  return how === 'like' ? text : HIDDEN;
}
