import {
  canonicalJson,
  groupBy,
  isJsonArray,
  isJsonObject,
  jsonEqual,
  objectsIn,
  textOf,
} from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isId, roleAt } from '../../model/index.ts';
import type { LiteralLocal } from '../../import/index.ts';
import type { ConfiguredNames } from './configured-names.ts';
import { variableName } from './declare-secrets.ts';

/** A zone whose file could be shared: its name, and what its file would declare, without the name. */
export interface FoldableZone {
  readonly name: string;
  readonly body: JsonObject;
  /** What a configuration calls its values; without one, variables get names of their own. */
  readonly names?: ConfiguredNames;
}

/** Zones that are alike, in one document: what differs is a variable. Or one zone, with variables for the locals of its configuration. */
export interface SharedDocument<Zone extends FoldableZone> {
  readonly members: readonly Zone[];
  /** What differs between them. */
  readonly variables: readonly string[];
  /** Locals of the configuration that are variables, by the names of these. */
  readonly locals: ReadonlyMap<string, LiteralLocal>;
  /** Without `zones`. */
  readonly body: JsonObject;
  /** What the file says for all its zones. */
  readonly vars: JsonObject;
  /** What stands under `zones`, in the order of the members. */
  readonly zones: readonly JsonValue[];
}

/** A value of a variable in each zone. */
interface Varying {
  readonly name: string;
  readonly values: readonly JsonValue[];
}

/**
 * Finds zones that differ in single values only, and makes one document of each group, with variables for these values; without `alike`, each zone
 * stays alone. `taken` are names that variables must not have. What the result says of each zone has to be checked: only loading it tells.
 */
export function foldZones<Zone extends FoldableZone>(
  zones: readonly Zone[],
  { taken, alike }: { readonly taken: Iterable<string>; readonly alike: boolean },
): readonly SharedDocument<Zone>[] {
  const groups = groupBy(zones, ({ name, body }) => (alike ? canonicalJson(outlineOf(body, [])) : name));
  return [...groups.values()].flatMap((members) => {
    const shared = sharedDocument(members, new Set(taken));
    return shared === undefined || (members.length < 2 && shared.locals.size === 0) ? [] : [shared];
  });
}

/** Keys whose values zones that are alike have in common. */
const COMMON: ReadonlySet<string> = new Set(['action', 'id', 'name', 'phase', 'ref']);

/** What stands for a value in an outline. */
const ANY = '\u0000';

/** Returns a value without what may differ between zones that are alike. */
function outlineOf(value: JsonValue, path: readonly (string | number)[]): JsonValue {
  if (isJsonArray(value)) {
    return value.map((item, index) => outlineOf(item, [...path, index]));
  }
  if (isJsonObject(value)) {
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, member]): readonly (readonly [string, JsonValue])[] =>
        isUnnamed(key, member) ? [] : [[key, outlineOf(member, [...path, key])]],
      ),
    );
  }
  if (path[0] === 'settings' || COMMON.has(String(path.at(-1)))) {
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

/** The most variables besides the name of the zone: zones that differ in more are not alike. */
const MOST_VARIABLES = 6;

function sharedDocument<Zone extends FoldableZone>(
  members: readonly Zone[],
  taken: Set<string>,
): SharedDocument<Zone> | undefined {
  const byValues = new Map<string, Varying>();
  const variableFor = (proposed: string, values: readonly JsonValue[]): string => {
    const key = canonicalJson(values);
    const known = byValues.get(key) ?? { name: freeName(variableName(proposed), taken), values };
    taken.add(known.name);
    byValues.set(key, known);
    return known.name;
  };
  const variable = (proposed: string, values: readonly JsonValue[]): string =>
    `\${${variableFor(memberWith(members, values) ?? proposed, values)}}`;
  const locals = new Map<string, LiteralLocal>();
  const local = (value: JsonValue): string | undefined => {
    const found = localWith(members, value);
    if (found === undefined) {
      return undefined;
    }
    const [proposed, literal] = found;
    const name = variableFor(
      proposed,
      members.map(() => value),
    );
    locals.set(name, literal);
    return `\${${name}}`;
  };
  const names = members.map(({ name }) => name);
  const merged = merge(
    members.map(({ body }) => body),
    [],
    { names, variable, local, ref: '' },
  );
  const varying = [...byValues.values()];
  const rules = rulesIn(members[0]?.body ?? {});
  const most = Math.min(MOST_VARIABLES, 1 + Math.floor(rules / 2));
  const own = varying.filter(
    ({ name, values }) => !locals.has(name) && canonicalJson(values) !== canonicalJson(names),
  );
  if (merged === undefined || !isJsonObject(merged) || own.length > most) {
    return undefined;
  }
  const usual = varying.map((one) => ({ ...one, usual: commonest(one.values) }));
  return {
    members,
    variables: varying.flatMap(({ name }) => (locals.has(name) ? [] : [name])),
    locals,
    body: merged,
    vars: Object.fromEntries(
      usual.flatMap((one) => (one.usual === undefined ? [] : [[one.name, one.usual]])),
    ),
    zones: names.map((name, index) => {
      const vars = Object.fromEntries(
        usual.flatMap((one): readonly (readonly [string, JsonValue])[] => {
          const value = one.values[index] ?? null;
          return one.usual !== undefined && canonicalJson(value) === canonicalJson(one.usual)
            ? []
            : [[one.name, value]];
        }),
      );
      return Object.keys(vars).length === 0 ? name : { name, vars };
    }),
  };
}

/** Returns the member of the items of `for_each` that has these values in these zones. */
function memberWith(members: readonly FoldableZone[], values: readonly JsonValue[]): string | undefined {
  return [...(members[0]?.names?.items.keys() ?? [])].find((name) =>
    members.every(({ names }, index) => jsonEqual(names?.items.get(name), values[index])),
  );
}

/** Returns the local that has a value, and that each of these zones uses. */
function localWith(
  members: readonly FoldableZone[],
  value: JsonValue,
): readonly [name: string, local: LiteralLocal] | undefined {
  return [...(members[0]?.names?.locals ?? [])].find(
    ([name, literal]) =>
      jsonEqual(literal.value, value) &&
      members.every(({ names }) => jsonEqual(names?.locals.get(name)?.value, value)),
  );
}

function freeName(stem: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? stem : `${stem}_${count}`;
    if (!taken.has(name)) {
      return name;
    }
  }
}

function rulesIn(body: JsonObject): number {
  const { entrypoints, rulesets } = body;
  const all = [...Object.values(isJsonObject(entrypoints) ? entrypoints : {}), ...objectsIn(rulesets)];
  return all.reduce<number>((sum, one) => sum + (isJsonObject(one) ? objectsIn(one['rules']).length : 0), 0);
}

/** Returns the value that more than half of the zones have; undefined where there is none. */
function commonest(values: readonly JsonValue[]): JsonValue | undefined {
  const groups = [...groupBy(values, (value) => canonicalJson(value)).values()];
  return groups.find((some) => some.length * 2 > values.length)?.[0];
}

interface Merging {
  readonly names: readonly string[];
  readonly variable: (proposed: string, values: readonly JsonValue[]) => string;
  /** Returns the variable for a value that the configuration has as a local; undefined if it has none. */
  readonly local: (value: JsonValue) => string | undefined;
  /** The name of the rule around. */
  readonly ref: string;
}

/** Merges values of one outline; undefined where a difference cannot be said with variables. */
function merge(
  values: readonly JsonValue[],
  path: readonly (string | number)[],
  means: Merging,
): JsonValue | undefined {
  const [first = null] = values;
  if (isJsonObject(first)) {
    const objects = values.filter((value) => isJsonObject(value));
    const ref = textOf(first['ref']);
    const inside = { ...means, ref: ref !== '' && !isId(ref) ? ref : means.ref };
    const merged: Record<string, JsonValue> = {};
    for (const key of Object.keys(first)) {
      if (values.length > 1 && isUnnamed(key, first[key] ?? null)) {
        continue;
      }
      const member = merge(
        objects.map((object) => object[key] ?? null),
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
  return typeof merged === 'string' && isExpressionAt(path) ? withLocals(merged, means) : merged;
}

function withLocals(expression: string, { local }: Merging): string {
  const tokens = tokensOf(expression);
  return tokens
    .map((token, at) => {
      // No variable can stand in a raw string, whose quotes follow an r.
      const value = isValue(token) && tokens[at - 1] !== 'r' ? valueOf(token) : undefined;
      return (value === undefined ? undefined : local(value)) ?? token;
    })
    .join('');
}

function mergeLeaf(
  values: readonly JsonValue[],
  path: readonly (string | number)[],
  means: Merging,
): JsonValue | undefined {
  const { names, variable, ref } = means;
  const key = path.findLast((step) => typeof step === 'string') ?? 'value';
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.length < values.length) {
    return variable(`${ref}_${key}`, values);
  }
  const byName = texts.map((text, index) => text.replaceAll(names[index] ?? ANY, () => ANY));
  const [shared = ''] = byName;
  if (shared.includes(ANY) && byName.every((text) => text === shared)) {
    const domain = variable('domain', names);
    return isExpressionAt(path)
      ? shared.replaceAll(`"${ANY}"`, () => domain).replaceAll(ANY, () => domain)
      : shared.replaceAll(ANY, () => domain);
  }
  if (!isExpressionAt(path)) {
    return variable(`${ref}_${key}`, texts);
  }
  return mergeExpressions(texts, means);
}

function mergeExpressions(texts: readonly string[], { variable, ref }: Merging): string | undefined {
  const all = texts.map(tokensOf);
  const [first = []] = all;
  let merged = '';
  for (const [at, token] of first.entries()) {
    const tokens = all.map((one) => one[at] ?? '');
    if (tokens.every((one) => one === token)) {
      merged += token;
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
