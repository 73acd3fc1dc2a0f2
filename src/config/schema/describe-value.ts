import type { Scalar } from 'yaml';
import { phaseFacts, phaseAfter, ACTIONS } from '../../model/index.ts';
import type { JsonValue } from '../../data/index.ts';
import { isJsonArray, isJsonObject, listOf, objectOf } from '../../data/index.ts';
import { isShared, scalarAt, settle } from '../yaml/yaml-document.ts';
import type { ValuePath } from '../yaml/yaml-document.ts';
import { knownKeys, listKeys } from './describe-key.ts';
import type { ErrorText, SchemaError } from './schema-error.ts';
import { allowedBy, isIndex, nameOf } from './schema-error.ts';
import { didYouMean, isName, oneOfThese, addNewNameHint } from './suggest.ts';

/** How to rewrite a scalar of the wrong type with the right one, where there is only one way. */
export interface ScalarRepair {
  readonly hint: string;
  /** The replacement, and the value that it has. */
  readonly text: string;
  readonly value: JsonValue;
  /**
   * The scalar to replace; present where that is safe without review: it stands in the file itself, not in a pack, nor behind a variable or
   * alias.
   */
  readonly place?: { readonly path: ValuePath; readonly scalar: Scalar };
}

/** Returns how to rewrite a value of the wrong type; undefined where no one way is right. */
export function repairScalar(error: SchemaError): ScalarRepair | undefined {
  const { document, path, via } = settle(error.document, error.path);
  const scalar = scalarAt(document, path);
  // A number is no condition, with or without quotes.
  const isNoCondition = typeof error.value === 'number' && error.path.at(-1) === 'expression';
  const repair = isNoCondition
    ? undefined
    : rewrite(error.value, scalar, { wanted: allowedBy(error), words: listOf(error.schema['enum']) });
  const isOwn =
    via.length === 0 && scalar?.value === error.value && !isShared(document, scalar) && !isBlock(scalar);
  return repair === undefined || scalar === undefined || !isOwn
    ? repair
    : { ...repair, place: { path, scalar } };
}

function isBlock({ type }: Scalar): boolean {
  return type?.startsWith('BLOCK') === true;
}

function rewrite(
  value: JsonValue,
  scalar: Scalar | undefined,
  { wanted, words }: { readonly wanted: readonly string[]; readonly words: readonly JsonValue[] },
): ScalarRepair | undefined {
  if (wanted.includes('string') && (typeof value === 'number' || typeof value === 'boolean')) {
    const text = scalar?.source ?? String(value);
    if (words.length > 0 && !words.includes(text)) {
      return asSwitch(value, words);
    }
    return { hint: `put it in quotes: "${text}"`, text: `"${text}"`, value: text };
  }
  if (typeof value !== 'string') {
    return undefined;
  }
  if (wanted.includes('boolean')) {
    return asBoolean(value);
  }
  if (wanted.includes('integer') || wanted.includes('number')) {
    return asNumber(value, wanted);
  }
  return wanted.includes('array') && PLAIN_ITEM.test(value)
    ? { hint: `write a list of one: [${value}]`, text: `[${value}]`, value: [value] }
    : undefined;
}

/** Words by which settings say true and false. */
const SWITCHES: readonly (readonly [on: string, off: string])[] = [
  ['on', 'off'],
  ['enabled', 'disabled'],
];

function asSwitch(value: number | boolean, words: readonly JsonValue[]): ScalarRepair | undefined {
  const pair =
    typeof value === 'boolean' ? SWITCHES.find((two) => two.every((one) => words.includes(one))) : undefined;
  const word = pair?.[value === true ? 0 : 1];
  return word === undefined ? undefined : { hint: `write \`${word}\``, text: word, value: word };
}

/** Text that means the same without quotes inside brackets. */
const PLAIN_ITEM = /^[A-Za-z][\w./-]*$/u;

/** Words that YAML 1.1 reads as booleans and YAML 1.2 as text, and booleans that quotes turn into text. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['y', true],
  ['on', true],
  ['true', true],
  ['no', false],
  ['n', false],
  ['off', false],
  ['false', false],
]);

function asBoolean(value: string): ScalarRepair | undefined {
  const meant = BOOLEANS.get(value.toLowerCase());
  if (meant === undefined) {
    return undefined;
  }
  const text = String(meant);
  const hint =
    value === text
      ? `write ${text} without quotes`
      : `YAML 1.2 reads \`${value}\` as text; write \`${text}\``;
  return { hint, text, value: meant };
}

function asNumber(value: string, wanted: readonly string[]): ScalarRepair | undefined {
  const digits = value.replaceAll('_', '');
  const form = wanted.includes('number')
    ? /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/u
    : /^-?(?:0|[1-9]\d{0,14})$/u;
  return form.test(digits)
    ? { hint: `write ${digits} without quotes`, text: digits, value: Number(digits) }
    : undefined;
}

/** Actions of the vendor's rulesets, of older interfaces and of other tools that rules cannot have, and what to do (api.md 5.1). */
const NOT_WRITABLE: ReadonlyMap<string, string> = new Map([
  ['allow', 'write `skip` with `action_parameters: {ruleset: current}`'],
  ['bypass', 'write `skip` with the `products` or `phases` to pass by'],
  ['simulate', 'write `log`'],
  ['captcha', 'write `managed_challenge`'],
  ...['deny', 'drop', 'reject'].map((name) => [name, 'write `block`'] as const),
  ...['rate_limit', 'ratelimit'].map(
    (name) =>
      [name, `write \`block\` with a \`ratelimit\`, in the phase \`${phaseAfter('rate-limits')}\``] as const,
  ),
  ['cache', 'write `set_cache_settings`'],
  ['forwarding_url', 'write `redirect` with `from_value`'],
  ['ddos_dynamic', 'only rules of the vendor have it'],
  ['ddos_mitigation', 'only rules of the vendor have it'],
  ['force_connection_close', 'only rules of the vendor have it'],
  ['connection_close', 'only rules of the vendor have it'],
]);

/** Describes a value that is not one of those the schema lists. */
export function describeValue(error: SchemaError): ErrorText {
  const allowed = allowedBy(error);
  const key = error.path.at(-1) ?? '';
  const value = typeof error.value === 'string' ? error.value : JSON.stringify(error.value);
  const all = `${allowed.length === 1 ? 'write' : 'write one of'} ${oneOfThese(allowed)}`;
  const off = key === 'action' && OFF.has(value) ? 'write `enabled: false` in its place' : undefined;
  const near = typeof error.value === 'string' ? didYouMean(value, allowed) : undefined;
  // An override cannot give an action that needs parameters: its list is a choice of actions, and no list of all.
  const isAnyAction = ACTIONS.some(({ name, needsParameters }) => needsParameters && allowed.includes(name));
  if (key === 'action' && isAnyAction && isName(value)) {
    const hint = near ?? all;
    // In a test file, no comment can suppress the finding.
    const others = error.path.includes('rules') ? addNewNameHint(hint, 'schema/unknown-action') : hint;
    return {
      code: 'schema/unknown-action',
      message: `the action \`${value}\` does not exist`,
      hint: NOT_WRITABLE.get(value) ?? off ?? others,
    };
  }
  if (key === 'phase' && error.path[0] === 'rulesets' && isName(value)) {
    return phaseFacts(value) === undefined
      ? {
          code: 'config/unknown-phase',
          message: `the phase \`${value}\` does not exist`,
          hint: addNewNameHint(near ?? all, 'config/unknown-phase'),
        }
      : {
          code: 'config/phase-level',
          message: `there are no custom rulesets of the phase \`${value}\` at this level`,
          hint: `custom rulesets are possible here in ${oneOfThese(allowed)}`,
        };
  }
  return {
    code: 'schema/unknown-value',
    message: `${nameOf(error)} is ${JSON.stringify(error.value)}, which is not allowed here`,
    hint: off ?? near ?? all,
  };
}

/** Words that people write as the action of a rule that is to do nothing. */
const OFF: ReadonlySet<string> = new Set(['disable', 'disabled', 'off', 'none']);

const NAMES: ReadonlyMap<string, string> = new Map([
  ['string', 'a string'],
  ['integer', 'a whole number'],
  ['number', 'a number'],
  ['boolean', '`true` or `false`'],
  ['array', 'a list'],
  ['object', 'a mapping of keys'],
]);

/** Describes a value of another type than the schema requires. */
export function describeType(error: SchemaError): ErrorText {
  const wanted = allowedBy(error);
  // Quotes around a fractional number would only make a text of the wrong form.
  const said = wanted.includes('integer') ? error.schema['patternErrorMessage'] : undefined;
  const repair = typeof said === 'string' ? undefined : repairScalar(error);
  return {
    code: 'schema/wrong-type',
    message: `${nameOf(error)} has to be ${wanted.map((type) => NAMES.get(type) ?? type).join(' or ')}, not ${typeName(error.value)}`,
    hint: typeof said === 'string' ? said : (repair?.hint ?? typeHint(error, wanted)),
    ...(repair?.place === undefined ? {} : { fixable: true }),
  };
}

function typeHint(error: SchemaError, wanted: readonly string[]): string | undefined {
  const { value, path, schema } = error;
  const { properties } = schema;
  if (path.at(-2) === 'vars' && isJsonObject(value)) {
    return 'a variable is one value or a list; what the environment gives, or is `sensitive`, stands under `env` of rulewright.yaml';
  }
  if (path.length === 1 && path[0] === 'zone' && wanted.includes('string')) {
    return isJsonArray(value) ? 'for several zones, the key is `zones`' : 'write the name of the zone alone';
  }
  const words = listOf(schema['enum']).map(String);
  if (words.length > 0 && !isJsonArray(value)) {
    return `write one of ${oneOfThese(words)}`;
  }
  if (wanted.includes('string') && (isJsonArray(value) || isJsonObject(value))) {
    const [only, ...others] = listOf(value);
    if (typeof only === 'string' && others.length === 0) {
      return `write \`${only}\` without brackets, or in quotes if they belong to it`;
    }
    if (words.length > 0) {
      return `write one of ${oneOfThese(words)}`;
    }
    return path.at(-1) === 'expression'
      ? 'write one condition, with `and` and `or` between its parts'
      : 'a text that begins with `[` or `{` needs quotes';
  }
  if (wanted.includes('object') && isJsonArray(value) && path.length === 2 && path[0] === 'entrypoints') {
    return 'write `rules:` above the list, and the list below it';
  }
  if (wanted.includes('object') && isJsonArray(value)) {
    const [first] = value;
    const { name } = objectOf(first);
    return typeof name === 'string'
      ? `a mapping has no \`- \` before its keys: write \`${name}:\` in place of \`- name: ${name}\``
      : isJsonObject(first)
        ? 'keys of a mapping have no `- ` before them'
        : (listKeys(knownKeys(error)) ?? 'a mapping has keys, as in `name: value`');
  }
  if (wanted.includes('array') && isJsonObject(value)) {
    const hint = 'each item of a list begins with `- `';
    const naming = path.at(-2) === 'overrides' ? 'id' : NAMING.get(path.at(-1) ?? '');
    const [first] = Object.entries(value);
    return naming === undefined || !isJsonObject(first?.[1])
      ? hint
      : `${hint}: write \`- ${naming}: ${first[0]}\` in place of \`${first[0]}:\``;
  }
  if (wanted.includes('array') && typeof value === 'string') {
    const items = value.split(',').map((item) => item.trim());
    return `write a list of ${items.length === 1 ? 'one' : 'its items'}: [${items.join(', ')}]`;
  }
  if (wanted.includes('object') && isJsonObject(properties) && Object.hasOwn(properties, 'value')) {
    return 'write it as `{value: …}`, or `{expression: …}` for what an expression computes';
  }
  if (wanted.includes('object')) {
    return path.at(-2) === 'rules'
      ? 'a rule has keys, such as `expression` and `action`, each on a line of its own'
      : listKeys(knownKeys(error));
  }
  return wanted.includes('integer') && SECONDS.has(path.at(-1) ?? '') ? secondsHint(value) : undefined;
}

/** The key that names an item of some lists, for when somebody writes a mapping by name instead of the list. */
const NAMING: ReadonlyMap<string, string> = new Map([
  ['rules', 'ref'],
  ['rulesets', 'name'],
  ['zones', 'name'],
]);

/** Keys whose values are times, all in seconds. */
const SECONDS: ReadonlySet<string> = new Set(['period', 'mitigation_timeout', 'default']);

const UNITS: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
]);

/** Returns a hint for a duration with a unit, such as `1h`, as other tools have it. */
function secondsHint(value: JsonValue): string | undefined {
  const [, count, unit = ''] =
    /^(\d{1,6}) ?([smhd])(?:ec(?:ond)?s?|in(?:ute)?s?|ours?|ays?)?$/.exec(
      typeof value === 'string' ? value : '',
    ) ?? [];
  return count === undefined
    ? undefined
    : `it counts seconds: write ${Number(count) * (UNITS.get(unit) ?? 1)}`;
}

function typeName(value: JsonValue): string {
  if (isJsonArray(value)) {
    return 'a list';
  }
  if (isJsonObject(value)) {
    return 'a mapping of keys';
  }
  const text = JSON.stringify(value);
  const shown = text.length > 40 ? `${text.slice(0, 37)}...` : text;
  return typeof value === 'string' ? `the text ${shown}` : shown;
}

const HINTS: ReadonlyMap<string, string> = new Map([
  ['rules', 'write `rules: []` for no rules, or remove the key above it to stop managing the ruleset'],
  ['entrypoints', 'name a phase under it, or remove the key'],
  ['rulesets', 'write `rulesets: []`, or remove the key'],
  ['expression', "write `'true'`, in quotes, for a rule that matches every request"],
]);

/** Describes a key with nothing behind its colon, which never means "empty". */
export function describeEmptyValue(error: SchemaError): ErrorText {
  const last = error.path.at(-1);
  if (last === undefined) {
    return { code: 'schema/no-value', message: 'the document has no value' };
  }
  if (isIndex(last)) {
    return {
      code: 'schema/no-value',
      message: `${nameOf(error)} has no value`,
      hint: 'write the item after its `-`, or remove the `-`',
    };
  }
  const isPhase = error.path.length === 2 && error.path[0] === 'entrypoints';
  return {
    code: 'schema/no-value',
    message: `\`${last}\` has no value`,
    hint: isPhase
      ? 'write `rules: []` under it for no rules, or remove the key to stop managing the phase'
      : (HINTS.get(last) ?? 'write a value, or remove the key'),
  };
}
