import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isJsonArray, isJsonObject, isNestedDeeper } from '../../data/index.ts';
import { comparedValues, plainSecrets, roleAt } from '../../model/index.ts';
import type { MarkedPath, TerraformInstance } from './read-state.ts';

/** A secret that a rule of a state holds in clear. */
export interface StatedSecret {
  readonly text: string;
  /** What holds it: the name of a header, or the key of a parameter. */
  readonly name: string;
}

/** The secrets of a rule, or why they cannot be told apart from the rest of it. */
export type RuleSecrets =
  | { readonly kind: 'told'; readonly secrets: readonly StatedSecret[] }
  | { readonly kind: 'untold'; readonly why: string };

/** What Terraform marks as sensitive in an instance, resolved to values. */
export interface MarkedValues {
  /** Whole texts that are marked. */
  readonly texts: ReadonlySet<string>;
  /** Indices of rules of which more than single texts is marked; `all`: of every rule. */
  readonly rules: ReadonlySet<number> | 'all';
  /** Marked attributes besides the rules, by their first keys. */
  readonly attributes: ReadonlySet<string>;
}

/** Ids are no secrets, though a project may call the variable so in which it has them. */
const IDS: ReadonlySet<string> = new Set(['zone_id', 'account_id', 'id']);

/** Resolves the marks of a ruleset or a list; `holder` is the attribute with its rules or items. */
export function markedValues({ values, sensitive }: TerraformInstance, holder: string): MarkedValues {
  const texts = new Set<string>();
  const rules = new Set<number>();
  const attributes = new Set<string>();
  let isAll = false;
  for (const path of sensitive) {
    const [first, index] = path;
    const value = valueAt(values, path);
    if (first === holder && typeof value === 'string') {
      texts.add(value);
    } else if (first === undefined || (first === holder && typeof index !== 'number')) {
      isAll ||= value !== undefined;
    } else if (first === holder && typeof index === 'number') {
      if (value !== undefined && value !== null) {
        rules.add(index);
      }
    } else if (!IDS.has(String(first)) && value !== undefined && value !== null && value !== '') {
      attributes.add(String(first));
    }
  }
  return { texts, rules: isAll ? 'all' : rules, attributes };
}

function valueAt(value: JsonValue | undefined, path: MarkedPath): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((at, step) => {
    if (isJsonArray(at)) {
      return at[Number(step)];
    }
    return isJsonObject(at) && Object.hasOwn(at, String(step)) ? at[String(step)] : undefined;
  }, value);
}

/** A text that a rule may have in clear becomes known to others through it, so one of fewer characters cannot be kept secret. */
const SHORTEST = 8;

/** Quotation marks, backslashes and control characters would be spelled in several ways. */
function canBeHidden(text: string): boolean {
  return text.length >= SHORTEST && !/["\\\p{C}]/u.test(text);
}

/** Returns the secrets of a rule in wire form: those that Terraform marks, and those that look like secrets. */
export function secretsOfRule(
  rule: JsonObject,
  { phase, index, marked }: { readonly phase: string; readonly index: number; readonly marked: MarkedValues },
): RuleSecrets {
  const known = plainSecrets(phase, rule).flatMap(({ name, texts }) => texts.map((text) => ({ text, name })));
  const compared = comparedValues(phase, rule);
  const secrets = [...known];
  const untold: string[] = [];
  for (const { path, text } of textsOf(rule, [])) {
    if (marked.texts.has(text)) {
      const narrow = roleAt(path) === undefined ? [text] : narrowed(text, known, compared);
      const name = String(path.at(-1) ?? 'value');
      secrets.push(...narrow.map((one) => ({ text: one, name: nameOf(one, known) ?? name })));
      if (narrow.length === 0) {
        untold.push(path.join('.'));
      }
    }
  }
  const isBroad = marked.rules === 'all' || marked.rules.has(index);
  if (isBroad) {
    const all = [...new Set([...known.map(({ text }) => text), ...compared])];
    secrets.push(...all.map((text) => ({ text, name: nameOf(text, known) ?? 'value' })));
  }
  const once = [...new Map(secrets.map((secret) => [secret.text, secret])).values()];
  if (untold.length > 0 || (isBroad && once.length === 0)) {
    const what = untold.length > 0 ? untold.join(' and ') : 'more than a text of it';
    return {
      kind: 'untold',
      why: `Terraform marks ${what} as sensitive, and which part is secret cannot be told`,
    };
  }
  const odd = once.find(({ text }) => !canBeHidden(text));
  return odd === undefined
    ? { kind: 'told', secrets: once }
    : {
        kind: 'untold',
        why: `its secret in ${odd.name} has fewer than ${SHORTEST} characters, or characters that no variable can hold`,
      };
}

function nameOf(text: string, known: readonly StatedSecret[]): string | undefined {
  return known.find((one) => one.text === text)?.name;
}

/** Returns the parts of a marked expression that can be the secret: what a header, a cookie or a parameter is compared with, else every long literal. */
function narrowed(
  expression: string,
  known: readonly StatedSecret[],
  compared: readonly string[],
): readonly string[] {
  const inside = [...known.map(({ text }) => text), ...compared].filter((text) => expression.includes(text));
  return inside.length > 0
    ? [...new Set(inside)]
    : [...expression.matchAll(/"((?:[^"\\]|\\.)*)"/gu)].flatMap(([, text = '']) =>
        text.length >= SHORTEST ? [text] : [],
      );
}

interface PlacedText {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** Deeper values are no rules. */
const DEEPEST = 40;

function textsOf(value: JsonValue, path: PlacedText['path']): readonly PlacedText[] {
  if (typeof value === 'string') {
    return [{ path, text: value }];
  }
  if (path.length === 0 && isNestedDeeper(value, DEEPEST)) {
    return [];
  }
  if (isJsonArray(value)) {
    return value.flatMap((item, index) => textsOf(item, [...path, index]));
  }
  return isJsonObject(value)
    ? Object.entries(value).flatMap(([key, member]) => textsOf(member, [...path, key]))
    : [];
}
