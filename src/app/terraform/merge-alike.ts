import { isJsonArray, isJsonObject, jsonEqual, textOf } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isId, roleAt } from '../../model/index.ts';

/** Keys whose values zones that are alike have in common. */
const COMMON: ReadonlySet<string> = new Set(['id', 'name', 'phase', 'ref']);

/** What a rule says where its file says nothing. */
const UNSAID: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['description', ''],
  ['enabled', true],
]);

/** What stands for a value in an outline. */
const ANY = '\u0000';

/** Returns a value of a document without what may differ between zones that are alike; actions only may where `withActions`. */
export function outlineOf(value: JsonValue, { withActions }: { readonly withActions: boolean }): JsonValue {
  return outlineAt(value, [], withActions ? COMMON : new Set([...COMMON, 'action']));
}

function outlineAt(
  value: JsonValue,
  path: readonly (string | number)[],
  common: ReadonlySet<string>,
): JsonValue {
  if (isJsonArray(value)) {
    return value.map((item, index) => outlineAt(item, [...path, index], common));
  }
  if (isJsonObject(value)) {
    const isRule = isRuleAt(path);
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, member]): readonly (readonly [string, JsonValue])[] =>
        isUnnamed(key, member) || (isRule && UNSAID.has(key))
          ? []
          : [[key, outlineAt(member, [...path, key], common)]],
      ),
    );
  }
  if (path[0] === 'settings' || common.has(String(path.at(-1)))) {
    return value;
  }
  if (typeof value !== 'string' || !isExpressionAt(path)) {
    return value === null ? null : typeof value;
  }
  return tokensOf(value)
    .map((token) => (isValue(token) ? ANY : token))
    .join('');
}

/** Whether a `ref` is only the id of a rule that nobody named: each zone has another, and a file may leave it out. */
function isUnnamed(key: string, value: JsonValue): boolean {
  return key === 'ref' && typeof value === 'string' && isId(value);
}

/** Whether a rule stands at a path from the document; rules of overrides are none. */
function isRuleAt(path: readonly (string | number)[]): boolean {
  return path.length > 1 && path.indexOf('rules') === path.length - 2;
}

/** Whether the text at a path from the document is an expression of a rule. */
function isExpressionAt(path: readonly (string | number)[]): boolean {
  const at = path.indexOf('rules');
  const role = at === -1 ? undefined : roleAt(path.slice(at + 2));
  return role !== undefined && role !== 'characteristic';
}

/** Sets, literals, words, numbers and addresses of an expression, and everything else by characters. */
const TOKEN =
  /\{[^{}"]*(?:"(?:[^"\\]|\\.)*"[^{}"]*)*\}|"(?:[^"\\]|\\.)*"|[A-Za-z_$][\w.]*|\d[\w.:/]*|\s+|./gu;

function tokensOf(expression: string): readonly string[] {
  return expression.match(TOKEN) ?? [];
}

function isValue(token: string): boolean {
  return /^["{\d]/u.test(token);
}

/** How values that differ, and those that a configuration names, become variables. */
export interface Merging {
  /** The names of the zones. */
  readonly names: readonly string[];
  /** Returns the reference to the variable that has these values, one for each zone. */
  readonly variable: (proposed: string, values: readonly JsonValue[]) => string;
  /** Returns the values that the configuration has by name where attributes of these keys stand. */
  readonly locals: (keys: readonly string[]) => readonly NamedValue[];
}

/** A value that a configuration has by name. */
export interface NamedValue {
  readonly value: JsonValue;
  /** Returns the reference to the variable that it becomes, which is only made then. */
  readonly refer: () => string;
}

/** Merges values of one outline, one for each zone; undefined where a difference cannot be said with variables. */
export function mergeAlike(values: readonly JsonValue[], means: Merging): JsonValue | undefined {
  return merge(values, [], { ...means, ref: '' });
}

interface MergingInRule extends Merging {
  /** The name of the rule around. */
  readonly ref: string;
}

function merge(
  values: readonly JsonValue[],
  path: readonly (string | number)[],
  means: MergingInRule,
): JsonValue | undefined {
  const [first = null] = values;
  if (isJsonObject(first)) {
    const objects = values.filter((value) => isJsonObject(value));
    const ref = textOf(first['ref']);
    const inside = { ...means, ref: ref !== '' && !isId(ref) ? ref : means.ref };
    const merged: Record<string, JsonValue> = {};
    const isRule = isRuleAt(path);
    const keys = isRule ? new Set(objects.flatMap((object) => Object.keys(object))) : Object.keys(first);
    for (const key of keys) {
      if (values.length > 1 && isUnnamed(key, first[key] ?? null)) {
        continue;
      }
      const member = merge(
        objects.map((object) => object[key] ?? (isRule ? UNSAID.get(key) : undefined) ?? null),
        [...path, key],
        inside,
      );
      if (member === undefined) {
        return undefined;
      }
      merged[key] = member;
    }
    return merged;
  }
  if (isJsonArray(first)) {
    const lists = values.filter((value) => isJsonArray(value));
    const whole = values.every((value) => jsonEqual(value, first)) ? namedAt(first, path, means) : undefined;
    if (whole !== undefined) {
      return whole;
    }
    const merged = first.map((_item, index) =>
      merge(
        lists.map((list) => list[index] ?? null),
        [...path, index],
        means,
      ),
    );
    return merged.includes(undefined) ? undefined : merged.filter((item) => item !== undefined);
  }
  const merged = values.every((value) => value === first) ? first : mergeLeaf(values, path, means);
  return merged === undefined || merged === null ? merged : withLocals(merged, path, means);
}

/** Keys whose values name something: a variable there would hide what. */
const NAMING: ReadonlySet<string> = new Set(['id', 'name', 'phase', 'ref']);

function localsAt(path: readonly (string | number)[], { locals }: Merging): readonly NamedValue[] {
  const keys = path.filter((step) => typeof step === 'string');
  return path[0] === 'settings' || NAMING.has(keys.at(-1) ?? '') ? [] : locals(keys);
}

function namedAt(value: JsonValue, path: readonly (string | number)[], means: Merging): string | undefined {
  return localsAt(path, means)
    .find((one) => jsonEqual(one.value, value))
    ?.refer();
}

/** Puts references in the place of a value, or of parts of a text, that the configuration has by name there. */
function withLocals(
  value: string | number | boolean | JsonObject | readonly JsonValue[],
  path: readonly (string | number)[],
  means: Merging,
): JsonValue {
  const named = localsAt(path, means);
  if (typeof value !== 'string') {
    return named.find((one) => jsonEqual(one.value, value))?.refer() ?? value;
  }
  if (!isExpressionAt(path)) {
    return named.find((one) => one.value === value)?.refer() ?? withTexts(value, named);
  }
  const tokens = tokensOf(value);
  return tokens
    .map((token, at) => {
      // No variable can stand in a raw string, whose quotes follow an r.
      if (!isValue(token) || tokens[at - 1] === 'r') {
        return token;
      }
      const whole = valueOf(token);
      const found = whole === undefined ? undefined : named.find((one) => jsonEqual(one.value, whole));
      return found?.refer() ?? (token.startsWith('"') ? withTexts(token, named) : token);
    })
    .join('');
}

/** Shorter texts stand within others by chance. */
const SHORTEST = 3;

/** Returns a pattern for a text that neither begins nor ends within a word. */
function wholeWords(text: string): string {
  const escaped = text.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`);
  const before = /^[\p{L}\p{N}_]/u.test(text) ? String.raw`(?<![\p{L}\p{N}_])` : '';
  const after = /[\p{L}\p{N}_]$/u.test(text) ? String.raw`(?![\p{L}\p{N}_])` : '';
  return before + escaped + after;
}

/** Puts references in the place of whole words of a text, and of none within another reference. */
function withTexts(text: string, named: readonly NamedValue[]): string {
  const found = new Map(
    named.flatMap((one) =>
      typeof one.value === 'string' && one.value.length >= SHORTEST ? [[one.value, one] as const] : [],
    ),
  );
  const longest = [...found.keys()].toSorted((a, b) => b.length - a.length);
  const pattern = longest.map(wholeWords).join('|');
  return found.size === 0
    ? text
    : text.replaceAll(
        new RegExp(`(\\$+\\{[^}]*\\})|${pattern}`, 'gu'),
        (part, reference: string | undefined) =>
          (reference === undefined ? found.get(part)?.refer() : part) ?? part,
      );
}

function mergeLeaf(
  values: readonly JsonValue[],
  path: readonly (string | number)[],
  means: MergingInRule,
): JsonValue | undefined {
  const { variable, ref } = means;
  const key = path.findLast((step) => typeof step === 'string') ?? 'value';
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.length < values.length) {
    return variable(`${ref}_${key}`, values);
  }
  const named = withDomain(texts, means, isExpressionAt(path));
  if (named !== undefined) {
    return named;
  }
  if (!isExpressionAt(path)) {
    return variable(`${ref}_${key}`, texts);
  }
  return mergeExpressions(texts, means);
}

/** Returns texts that differ in nothing but the name of the zone as one text; undefined where they do. */
function withDomain(
  texts: readonly string[],
  { names, variable }: Merging,
  inExpression: boolean,
): string | undefined {
  const byName = texts.map((text, index) => text.replaceAll(names[index] ?? ANY, () => ANY));
  const [shared = ''] = byName;
  if (!shared.includes(ANY) || byName.some((text) => text !== shared)) {
    return undefined;
  }
  const domain = variable('domain', names);
  const quoted = inExpression ? shared.replaceAll(`"${ANY}"`, () => domain) : shared;
  return quoted.replaceAll(ANY, () => domain);
}

function mergeExpressions(texts: readonly string[], means: MergingInRule): string | undefined {
  const { variable, ref } = means;
  const all = texts.map(tokensOf);
  const [first = []] = all;
  let merged = '';
  for (const [at, token] of first.entries()) {
    const tokens = all.map((one) => one[at] ?? '');
    if (tokens.every((one) => one === token)) {
      merged += token;
      continue;
    }
    const named = withDomain(tokens, means, true);
    if (named !== undefined) {
      merged += named;
      continue;
    }
    const values = tokens.map(valueOf);
    if (values.includes(undefined)) {
      return undefined;
    }
    merged += variable(
      `${ref}_${fieldBefore(merged)}`,
      values.filter((value) => value !== undefined),
    );
  }
  return merged;
}

/** Returns what a variable has to be so that an expression spells it as this token; undefined where none does. */
function valueOf(token: string): JsonValue | undefined {
  if (token.startsWith('"')) {
    const text = token.slice(1, -1);
    return /["\\]/u.test(text) ? undefined : text;
  }
  if (token.startsWith('{')) {
    const items = (token.slice(1, -1).match(/"(?:[^"\\]|\\.)*"|\S+/gu) ?? []).map(valueOf);
    return items.includes(undefined) || items.some((item) => isJsonArray(item))
      ? undefined
      : items.filter((item) => item !== undefined);
  }
  return /^\d+$/u.test(token) ? Number(token) : token;
}

const OPERATORS = /^(?:in|eq|ne|lt|le|gt|ge|contains|matches|wildcard|strict|and|or|xor|not)$/u;

/** Returns the last part of the field that stands before a value. */
function fieldBefore(expression: string): string {
  const words = (expression.match(/[a-z_][\w.]*/gu) ?? []).filter((word) => !OPERATORS.test(word));
  return words.at(-1)?.split('.').at(-1) ?? 'value';
}
