import type { JsonValue } from '../../data/index.ts';
import { isJsonArray, isJsonObject } from '../../data/index.ts';
import type { RuleContent, Redactions, Step } from '../../model/index.ts';
import {
  contentFromWire,
  contentToWire,
  HIDDEN,
  referencesIn,
  textsAround,
  isWritten,
  redactText,
} from '../../model/index.ts';

/**
 * What to do with a text whose model has a reference. A text is like its model when it is equal to it around the reference. `all`: hide the
 * value in a text like the model, and hide any other text entirely. `like`: hide the value in a text like the model, and leave other texts.
 * `renew`: replace a text like the model by the model, and hide any other text entirely.
 */
export type Hiding = 'all' | 'like' | 'renew';

/**
 * Hides the texts of a value where its model, a value of the same shape, has a reference to a sensitive value: the text may be the previous
 * value. The part that equals the model around the reference stays.
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

/** Hides the texts of a rule's content where its model has references. */
export function hideContent(content: RuleContent, model: RuleContent, how: Hiding): RuleContent {
  const hidden = hasReferences(model) ? hide(contentToWire(content), contentToWire(model), how) : null;
  return isJsonObject(hidden) ? contentFromWire(hidden) : content;
}

/** Whether the JSON of a value contains a reference to a sensitive value. */
export function hasReferences(value: unknown): boolean {
  return referencesIn(JSON.stringify(value)).length > 0;
}

/** Hides a text according to its model (`hide`). */
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

/** Whether a text is a model but for what stands in place of the model's references. */
export function isLike(text: string, model: string): boolean {
  return text === model || hiddenIn(text, model)?.isLike === true;
}

/** Returns the values that hiding takes out of a text: if the text is like its model, what stands in place of references, else the whole text. */
export function valuesIn(text: string, model: string, how: Hiding): readonly string[] {
  const hidden = hiddenIn(text, model);
  return hidden === null || (how === 'like' && !hidden.isLike) ? [] : hidden.values;
}

/** Returns the values that hiding takes out of the texts of a value (`valuesIn`). */
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

/** Null when nothing has to be hidden. */
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

/** Returns the values between fixed texts; none when the fixed texts do not separate them. */
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

/** Functions that hide values wherever something is told about live. */
export interface HiddenValues {
  /** For texts of rules. */
  readonly redactions: Redactions;
  /** For texts derived from rules, which may contain part of a value, or the value in lower case. */
  readonly prose: (text: string) => string;
}

/** The least length of a sensitive value; shorter texts appear in rules for other reasons. */
export const SHORTEST = 8;

/** The least length of a part of a value that reveals anything about it. */
const SHORTEST_PART = 4;

/** Matches words; marks of hidden texts are matched as a whole, so that they are kept. */
const WORDS = new RegExp(`<sensitive[^>]*>|<looks like [^>]*>|[\\p{L}\\p{N}._-]{${SHORTEST_PART},}`, 'gu');

/** Prepares hiding `values`. `said` is what files say in clear: texts in it are no secret, even if they are part of a value. */
export function hiddenValues(values: Iterable<string>, said: string): HiddenValues {
  const clear = said.toLowerCase();
  const all = [...new Set([...values].flatMap(textsAround))]
    .filter((value) => value.length >= SHORTEST_PART && !clear.includes(value.toLowerCase()))
    .sort((a, b) => b.length - a.length);
  const redactions = new Map(
    all.filter((value) => value.length >= SHORTEST).map((value) => [value, HIDDEN] as const),
  );
  const lower = all.map((value) => value.toLowerCase());
  const tells = (word: string): boolean =>
    lower.some((value) => word.includes(value) || (value.includes(word) && !clear.includes(word)));
  return {
    redactions,
    prose: (text) =>
      redactText(text, redactions).replace(WORDS, (word) =>
        !word.startsWith('<') && tells(word.toLowerCase()) ? HIDDEN : word,
      ),
  };
}

/** Returns what steps say in clear, as files do: the contents they write, and their names of things. */
export function saidIn(steps: readonly Step[]): string {
  return JSON.stringify(
    steps.map(({ id, target, changes }) => [
      id,
      target,
      changes.map((change) => [change.ref, isWritten(change) ? contentToWire(change.content) : null]),
    ]),
  );
}
