import type { JsonValue } from '../../model/json.ts';
import { isJsonArray, isJsonObject } from '../../model/json.ts';
import type { LiveRule, RuleContent } from '../../model/rule.ts';
import { contentFromWire, contentToWire } from '../../model/rule-fields.ts';
import { HIDDEN, referencesIn, textsAround } from '../../model/sensitive.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';

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

/** The same of a text and the text that is its model. */
export function hideText(text: string, model: string, how: Hiding): string {
  const hidden = hiddenIn(text, model);
  if (hidden === null) {
    return text;
  }
  if (hidden.isLike) {
    return how === 'renew' ? model : hidden.shown;
  }
  return how === 'like' ? text : HIDDEN;
}

/** The values of before that hiding takes out of a text: where it is like its model what stands in place of references, else the text. */
export function valuesIn(text: string, model: string, how: Hiding): readonly string[] {
  const hidden = hiddenIn(text, model);
  return hidden === null || (how === 'like' && !hidden.isLike) ? [] : hidden.values;
}

/** The same of all texts of a value and those that stand in their places in its model. */
export function valuesBeside(value: JsonValue, model: JsonValue | undefined, how: Hiding): readonly string[] {
  if (typeof value === 'string' && typeof model === 'string') {
    return valuesIn(value, model, how);
  }
  if (isJsonArray(value) && isJsonArray(model)) {
    return value.flatMap((item, index) => valuesBeside(item, model[index], how));
  }
  return isJsonObject(value) && isJsonObject(model)
    ? Object.entries(value).flatMap(([key, member]) => valuesBeside(member, model[key], how))
    : [];
}

interface HiddenText {
  readonly isLike: boolean;
  readonly shown: string;
  readonly values: readonly string[];
}

/** Null where nothing is to be hidden. */
function hiddenIn(text: string, model: string): HiddenText | null {
  const around = textsAround(model);
  const [start = '', ...between] = around;
  if (around.length === 1 || text === model) {
    return null;
  }
  const end = between.pop() ?? '';
  if (!text.startsWith(start) || !text.endsWith(end) || text.length < start.length + end.length) {
    return { isLike: false, shown: HIDDEN, values: [text] };
  }
  const value = text.slice(start.length, text.length - end.length);
  const shown = `${start}${HIDDEN}${end}`;
  return { isLike: true, shown, values: [value, ...partsOf(value, between)] };
}

/** The values between fixed texts; none where those do not tell them apart. */
function partsOf(value: string, between: readonly string[]): readonly string[] {
  const parts: string[] = [];
  let rest = value;
  for (const fixed of between) {
    const at = fixed === '' ? -1 : rest.indexOf(fixed);
    if (at === -1) {
      return [];
    }
    parts.push(rest.slice(0, at));
    rest = rest.slice(at + fixed.length);
  }
  return [...parts, rest];
}

/** What is known of a rule today. */
export interface RuleToday {
  readonly id?: string;
  readonly ref?: string;
  readonly content: RuleContent;
}

/** What live and the files say of a ruleset today. */
export interface RulesetToday {
  readonly rules: readonly RuleToday[];
  readonly descriptions: readonly string[];
}

/**
 * An earlier version of a ruleset without the texts in place of which there is a sensitive value today. To `show` it they are hidden; to
 * `restore` it today's value stays, since whoever asks for the rules of before has no use for a secret that was changed.
 */
export function hideInVersion(
  version: LiveRuleset,
  today: RulesetToday,
  purpose: 'show' | 'restore',
): LiveRuleset {
  const rules = today.rules.filter(({ content }) => hasReferences(content));
  return {
    ...version,
    description: hideDescription(version.description, today, purpose),
    rules: version.rules.map((rule) => hideInRule(rule, rules, purpose)),
  };
}

/** The same of one rule. */
export function hideInRule(
  rule: LiveRule,
  today: readonly RuleToday[],
  purpose: 'show' | 'restore',
): LiveRule {
  const how = purpose === 'show' ? 'all' : 'renew';
  const ofRule = today.filter(({ id, ref }) => id === rule.id || ref === rule.ref);
  const content = ofRule.reduce((hidden, model) => hideContent(hidden, model.content, how), rule.content);
  return { ...rule, content };
}

/** The same of the description of the ruleset. */
export function hideDescription(
  description: string,
  { descriptions }: Pick<RulesetToday, 'descriptions'>,
  purpose: 'show' | 'restore',
): string {
  const model = descriptions.find(hasReferences);
  if (model === undefined) {
    return description;
  }
  return purpose === 'restore' ? model : hideText(description, model, 'all');
}
