import { ODD_BLANKS } from '../../expression/index.ts';
import { isJsonArray, isJsonObject, objectOf } from '../../data/index.ts';
import { PHASES, phaseFacts, READ_ONLY_RULE_FIELDS, actionKind } from '../../model/index.ts';
import type { ActionKind } from '../../model/index.ts';
import { KNOWN_ACTION_PARAMETERS } from '../../model/generated/known-fields.ts';
import { nearName } from '../../text/index.ts';
import { COMMA_HINT } from '../yaml/syntax-finding.ts';
import type { ErrorText, SchemaError } from './schema-error.ts';
import { isIndex, param } from './schema-error.ts';
import { asQuestion, didYouMean, isName, oneOfThese, addNewNameHint, wholeName } from './suggest.ts';

/** Describes a key that the schema does not have at this place. */
export function describeUnknownKey(error: SchemaError): ErrorText {
  const key = param(error, 'additionalProperty');
  if (error.path.length === 1 && error.path[0] === 'entrypoints' && !OF_ENTRYPOINTS.has(key)) {
    return describeUnknownPhase(key, error);
  }
  const known = knownKeys(error);
  return {
    code: 'schema/unknown-key',
    message: `the key \`${key}\` does not exist ${place(error)}`,
    hint:
      oddHint(error, key) ??
      asQuestion(meantKey(error)) ??
      specialHint(error, key) ??
      asQuestion(wholeName(key, known)) ??
      listKeys(known),
    key,
  };
}

/** Returns a hint for a key that does not look like one. */
function oddHint({ path }: SchemaError, key: string): string | undefined {
  if (ODD_BLANK.test(key)) {
    return 'an invisible character or an unusual space is part of it: write plain spaces';
  }
  if (key.startsWith('//')) {
    return 'a comment begins with `#`';
  }
  return TORN_TEXT.test(key) && !(path.length === 0 && WORDS.test(key)) ? COMMA_HINT : undefined;
}

const ODD_BLANK = new RegExp(`[${ODD_BLANKS}]`, 'u');

/** Characters that no key has, but that a piece of a text split at a comma may have. */
const TORN_TEXT = /[()"'$ ]/u;

/** A sentence, such as somebody leaves above a document. */
const WORDS = /^[\w' ]+$/u;

/** Returns the key that an unknown one most likely means; missing keys go before present ones. */
export function meantKey(error: SchemaError): string | undefined {
  // Composing removes `use` from rules, so no schema of a rule has it.
  const known = [...knownKeys(error), ...(isRule(error) ? ['use'] : [])];
  const missing = known.filter((name) => !isJsonObject(error.value) || !Object.hasOwn(error.value, name));
  const key = param(error, 'additionalProperty');
  return nearName(key, missing) ?? nearName(key, known);
}

/** Describes a required key that is missing. */
export function describeMissingKey(error: SchemaError): ErrorText {
  const key = param(error, 'missingProperty');
  if (key === 'action') {
    return {
      code: 'schema/missing-action',
      message: 'the rule has no `action`',
      hint: 'set what happens to matching requests, such as `action: block`',
    };
  }
  return {
    code: 'schema/missing-key',
    message: `the key \`${key}\` is missing ${place(error)}`,
    hint:
      key === 'action_parameters' ? parametersHint(objectOf(error.value)['action']) : MISSING_HINTS.get(key),
  };
}

const MISSING_HINTS: ReadonlyMap<string, string> = new Map([
  ['rules', 'write `rules: []` for no rules'],
  ['expression', "set which requests the rule matches; `'true'`, in quotes, matches all"],
  ['version', 'write `version: 1`'],
  ['category', 'it takes a tag of managed rules, such as `category: wordpress`'],
  ['pack', 'give the pack the name that `use` refers to, such as `pack: bots`'],
  ['characteristics', 'set what requests are counted by, such as `characteristics: [cf.colo.id, ip.src]`'],
  ['files', 'set which files belong to the project, such as `files: [zones/*.yaml]`'],
]);

function parametersHint(action: unknown): string | undefined {
  const kind = actionKind(action);
  return kind === undefined ? undefined : PARAMETERS_OF[kind];
}

const PARAMETERS_OF: Readonly<Partial<Record<ActionKind, string>>> = {
  skip: 'say what is skipped, such as `action_parameters: { ruleset: current }`',
  execute:
    'say which ruleset is run, such as `action_parameters: { id: managed:cloudflare-managed-ruleset }`',
  redirect:
    "say where to, such as `action_parameters: { from_value: { target_url: { value: 'https://shop.example/' }, status_code: 301 } }`",
};

/** Keys of an entry point, which wrong indentation puts beside it. */
const OF_ENTRYPOINTS: ReadonlySet<string> = new Set(['rules', 'description', 'ownership', 'place', 'ignore']);

/** Whether a key of `entrypoints` may be a phase that the service has and this version does not know. */
export function mayBeNewPhase(key: string): boolean {
  return phaseFacts(key) === undefined && !OF_ENTRYPOINTS.has(key) && isName(key);
}

/** Describes a key of `entrypoints` that is not a phase of this level in the schema. */
function describeUnknownPhase(key: string, error: SchemaError): ErrorText {
  const level =
    isJsonObject(error.document.value) && Object.hasOwn(error.document.value, 'account') ? 'account' : 'zone';
  const facts = phaseFacts(key);
  const possible = PHASES.filter(({ entrypoints }) => entrypoints.includes(level)).map(({ name }) => name);
  if (facts !== undefined) {
    const other = level === 'zone' ? 'an account' : 'a zone';
    return {
      code: 'config/phase-level',
      message: `the phase \`${key}\` has entry points in ${other} only`,
      hint: `move it to the file of ${other}`,
      key,
    };
  }
  const hint =
    didYouMean(key, possible) ??
    `phases of ${level === 'zone' ? 'a zone' : 'an account'} are ${oneOfThese(possible, 'and')}`;
  const message = `the phase \`${key}\` does not exist`;
  return isName(key)
    ? { code: 'config/unknown-phase', message, hint: addNewNameHint(hint, 'config/unknown-phase'), key }
    : { code: 'schema/unknown-key', message, hint, key };
}

function specialHint(error: SchemaError, key: string): string | undefined {
  if (error.path.length === 1 && error.path[0] === 'entrypoints') {
    return 'it belongs to a phase: indent it below one';
  }
  if (error.path.length === 0 && phaseFacts(key) !== undefined) {
    return 'phases belong under `entrypoints`';
  }
  if (error.path.length === 0 && key === 'rules' && knownKeys(error).includes('entrypoints')) {
    return 'rules belong to a phase under `entrypoints`';
  }
  if (isRule(error) && READ_ONLY_RULE_FIELDS.some((field) => field === key)) {
    return 'only the service writes this field; remove it';
  }
  if (isRule(error) && [...KNOWN_ACTION_PARAMETERS.values()].some((keys) => keys.has(key))) {
    return 'it belongs under `action_parameters`';
  }
  const elsewhere = isRule(error) ? OF_OTHER_RULES.get(key) : undefined;
  if (elsewhere !== undefined) {
    return elsewhere;
  }
  if (key === 'status' && knownKeys(error).includes('enabled')) {
    return 'write `enabled: true` or `enabled: false`';
  }
  if (key === 'mitigation_expression') {
    return 'the service has no such condition any more; remove it';
  }
  const inside = Object.entries(objectOf(error.schema['properties'])).filter(([, schema]) =>
    Object.hasOwn(objectOf(objectOf(schema)['properties']), key),
  );
  if (inside.length > 0 && !isRule(error)) {
    return `it belongs under ${oneOfThese(inside.map(([name]) => name))}`;
  }
  if (error.path.at(-1) === 'action_parameters') {
    if (key === 'extra_parameters') {
      return 'it belongs to the rule: write it beside `action_parameters`, not inside';
    }
    if (isProduct(error, key)) {
      return `write \`products: [${key}]\``;
    }
    const actions = [...KNOWN_ACTION_PARAMETERS]
      .filter(([, keys]) => keys.has(key))
      .map(([action]) => action);
    return actions.length > 0
      ? `it belongs to the action ${oneOfThese(actions)}`
      : 'a parameter that the service has and this schema does not know yet goes under `extra_parameters`, beside `action_parameters`';
  }
  return undefined;
}

/** Hints for keys of older interfaces and other tools. */
const OF_OTHER_RULES: ReadonlyMap<string, string> = new Map([
  ['priority', 'rules run in the order of the list: move the rule to its place, and remove this'],
  ['paused', 'write `enabled: false` for a rule that does nothing, else remove this'],
  ['name', 'write `ref` for a name that the rule keeps, `description` for what people read'],
  ...['filter', 'condition', 'when', 'match', 'if'].map(
    (key) => [key, 'write `expression` for which requests the rule matches'] as const,
  ),
]);

/** Whether the key is one of the products that a `skip` lists under `products`. */
function isProduct({ schema }: SchemaError, key: string): boolean {
  const { items } = objectOf(objectOf(schema['properties'])['products']);
  const { enum: products } = objectOf(items);
  return isJsonArray(products) && products.includes(key);
}

function isRule(error: SchemaError): boolean {
  return error.path.at(-2) === 'rules' && error.schema['title'] === 'Rule';
}

function place(error: SchemaError): string {
  const last = error.path.at(-1);
  if (last === undefined) {
    return 'in this document';
  }
  if (!isIndex(last)) {
    return `in \`${last}\``;
  }
  return error.path.at(-2) === 'rules' ? 'in this rule' : `in this item of \`${error.path.at(-2) ?? ''}\``;
}

export function knownKeys(error: SchemaError): readonly string[] {
  const properties = error.schema['properties'];
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

export function listKeys(known: readonly string[]): string | undefined {
  return known.length === 0 ? undefined : `keys here are ${oneOfThese(known, 'and')}`;
}
