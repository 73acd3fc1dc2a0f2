import type { Diagnostic, SourceSpan } from '../../model/index.ts';
import { hasErrors, formatPlace, plainVariable } from '../../model/index.ts';
import type { PackDocument } from '../../model/generated/documents.ts';
import { isJsonArray, isJsonObject, listOf, objectOf, repeatsOf } from '../../data/index.ts';
import type { JsonValue } from '../../data/index.ts';
import { finding } from '../source/finding.ts';
import { SCOPE_KEYS } from '../project/scope-file.ts';
import { validatePack } from '../generated/validators.mjs';
import { validateDocument } from '../schema/validate-document.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';
import type { YamlDocument, ValuePath, FilledVariable } from '../yaml/yaml-document.ts';
import { checkExpression, parseExpression } from '../../expression/index.ts';
import { oneOfThese } from '../schema/suggest.ts';
import { firstMark, variablesIn } from './template.ts';

/** A value in a file that a variable or parameter gets. */
interface WrittenValue {
  readonly document: YamlDocument;
  readonly path: ValuePath;
  readonly name: string;
  readonly value: JsonValue | undefined;
}

/** Reports the texts of a value that look like secrets: everybody who reads the file or a plan would read them. Quotes none of them. */
export function checkPlainSecret({ document, path, name, value }: WrittenValue): readonly Diagnostic[] {
  if (isJsonArray(value)) {
    return value.flatMap((item, index) =>
      checkPlainSecret({ document, path: [...path, index], name, value: item }),
    );
  }
  const what = typeof value === 'string' ? plainVariable(name, value) : undefined;
  return what === undefined
    ? []
    : [
        finding('variable/plain-secret', {
          message: `the value of \`${name}\` looks like ${what}, and is here in clear text`,
          hint: `declare \`${name}\` in the project file, under \`env\`: \`{ from: …, sensitive: true }\`, and change the value, since others could read it; if it is no secret, give it another name`,
          where: locateValue(document, path),
        }),
      ];
}

/** Types that parameters and variables of the environment can have. */
export type ValueType = 'string' | 'integer' | 'number' | 'boolean' | 'list' | 'expression';

/** What a value is required to be. */
interface ExpectedValue {
  readonly type: ValueType;
  readonly enum?: readonly (string | number)[] | undefined;
}

/** What is wrong with a value, as the end of a sentence. */
interface ArgumentProblem {
  readonly message: string;
  readonly hint?: string | undefined;
}

const WANTED: Readonly<Record<ValueType, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  list: 'a list of strings and numbers',
  expression: 'the text of an expression',
};

/** Returns what is wrong with the value of a parameter; undefined when nothing is. */
export function argumentProblem(expected: ExpectedValue, value: JsonValue): ArgumentProblem | undefined {
  if (!isValue(value) || !FITS[expected.type](value)) {
    const written = typeof value === 'object' ? kindOfValue(value) : JSON.stringify(value);
    const quoted = expected.type === 'string' && typeof value !== 'object';
    return {
      message: `is ${written}, but must be ${WANTED[expected.type]}`,
      hint: quoted ? `if it is meant as a string, put it in quotes: "${value}"` : undefined,
    };
  }
  const choices = expected.enum;
  const items = typeof value === 'object' ? value : [value];
  const wrong =
    choices === undefined ? undefined : items.find((item) => !choices.some((one) => one === item));
  if (wrong !== undefined) {
    return {
      message: `is ${JSON.stringify(wrong)}, which is not one of those allowed`,
      hint: `allowed are ${oneOfThese(choices ?? [], 'and')}`,
    };
  }
  return expected.type === 'expression' && typeof value === 'string' ? expressionProblem(value) : undefined;
}

/**
 * Returns what is wrong with the default of a parameter or of a variable of the environment, which is taken as it is written: a variable in it
 * would go live as its own name. `instead` says what to do then.
 */
export function defaultProblem(
  expected: ExpectedValue,
  value: VariableValue,
  instead: string,
): ArgumentProblem | undefined {
  const mark = firstMark(value);
  return mark === undefined
    ? argumentProblem(expected, value)
    : {
        message: `contains \`${mark}\`, but a default is taken as it is written: no variable is put in`,
        hint: instead,
      };
}

/** Returns the content of an argument. */
export function argumentContent(type: ValueType, value: VariableValue): VariableContent {
  return type === 'expression' ? { kind: 'expression', text: String(value) } : { kind: 'value', value };
}

/** Whether a value can be that of any variable. */
export function isValue(value: JsonValue): value is VariableValue {
  return isJsonArray(value)
    ? value.every((item) => typeof item === 'string' || typeof item === 'number')
    : typeof value !== 'object';
}

const FITS: Readonly<Record<ValueType, (value: VariableValue) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isSafeInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  list: (value) => typeof value === 'object',
  expression: (value) => typeof value === 'string',
};

/** Requires a condition that is complete by itself, so that parentheses around it keep it together. */
function expressionProblem(text: string): ArgumentProblem | undefined {
  const [found] = parseExpression(text).ok ? [] : checkExpression(text).findings;
  return found && { message: `is not a valid expression: ${found.message}`, hint: found.hint };
}

/** A value that a variable can hold. */
export type VariableValue = string | number | boolean | readonly (string | number)[];

/** The content of a variable. */
export type VariableContent =
  | { readonly kind: 'value'; readonly value: VariableValue }
  /** A condition of the rules language, given as an argument of a pack. */
  | { readonly kind: 'expression'; readonly text: string }
  /** A value that appears in no output; `reference` stands for it everywhere. */
  | { readonly kind: 'sensitive'; readonly env: string; readonly reference: string }
  /** The environment variable is not set, and there is no default. */
  | { readonly kind: 'unset'; readonly env: string }
  /** The variable has a finding of its own; texts that use it are not checked. */
  | { readonly kind: 'broken' };

/** A variable, or an argument of a pack. */
export interface Variable extends FilledVariable {
  readonly content: VariableContent;
  /** The weaker variable of the same name that this one replaces; a use of this one counts as a use of that one. */
  readonly shadows?: Variable;
}

/** The variables that a place can name. */
export type Variables = ReadonlyMap<string, Variable>;

/** Returns how a message names the content of a variable. */
export function kindOfContent(content: VariableContent): string {
  switch (content.kind) {
    case 'value':
      return kindOfValue(content.value);
    case 'expression':
      return 'an expression';
    default:
      return 'a string';
  }
}

/** Returns how a message names a value. */
export function kindOfValue(value: unknown): string {
  if (Array.isArray(value)) {
    return 'a list';
  }
  return KINDS.get(typeof value) ?? (value === null ? 'nothing' : 'a mapping');
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['boolean', 'a boolean'],
]);

/** A parameter of a pack, which a use may set under `with`. */
export interface PackParameter {
  readonly name: string;
  readonly type: ValueType;
  /** Absent where a use has to give the argument. */
  readonly default?: VariableValue | undefined;
  readonly enum?: readonly (string | number)[] | undefined;
  readonly where: SourceSpan;
}

/** Named rules that many rulesets can use. */
export interface Pack {
  readonly name: string;
  readonly document: YamlDocument;
  readonly parameters: ReadonlyMap<string, PackParameter>;
  /** The only phases in which the pack may be used; absent: all. */
  readonly phases?: readonly string[] | undefined;
  readonly rules: readonly JsonValue[];
  readonly where: SourceSpan;
}

/** A pack, or the name of one that is not valid, if it has a name. */
export interface ReadPack {
  readonly pack?: Pack;
  readonly broken?: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a pack, unless its head is not valid. Its rules are checked where they are used. */
export function readPack(document: YamlDocument): ReadPack {
  const key = scopeKeyOf(document.value);
  if (key !== undefined) {
    return { diagnostics: [scopeFile(document, key)] };
  }
  const head = { ...document, value: withoutRules(document.value) };
  const { value } = head;
  if (!validatePack(value)) {
    const name = isJsonObject(document.value) ? document.value['pack'] : undefined;
    const diagnostics = validateDocument(head, validatePack);
    return typeof name === 'string' ? { broken: name, diagnostics } : { diagnostics };
  }
  const pack = packOf(document, value);
  const diagnostics = [...checkDefaults(pack), ...unusedParameters(pack)];
  return hasErrors(diagnostics) ? { broken: pack.name, diagnostics } : { pack, diagnostics };
}

/** Returns the key that makes a file matched by a pattern of `packs` a zone or account file; undefined for a pack. */
function scopeKeyOf(value: JsonValue): string | undefined {
  return isJsonObject(value) && !Object.hasOwn(value, 'pack')
    ? SCOPE_KEYS.find((key) => Object.hasOwn(value, key))
    : undefined;
}

function scopeFile(document: YamlDocument, key: string): Diagnostic {
  return finding('pack/scope-file', {
    message: `a pattern of \`packs\` matches this file, which is about ${key === 'account' ? 'an account' : key === 'zones' ? 'zones' : 'a zone'}`,
    hint: 'narrow the pattern in the project file, such as `packs: [packs/*.yaml]`: what it matches is no zone or account file, whatever `files` says',
    where: locateKey(document, [key]),
  });
}

/** Replaces the rules by placeholders: they are complete only once parameters are put in. */
function withoutRules(value: JsonValue): JsonValue {
  return isJsonObject(value) && isJsonArray(value['rules'])
    ? { ...value, rules: value['rules'].map((rule) => (isJsonObject(rule) ? ANY_RULE : rule)) }
    : value;
}

const ANY_RULE = { action: 'log', expression: 'true' };

function packOf(document: YamlDocument, { pack: name, params = {}, phases }: PackDocument): Pack {
  const parameters = Object.entries(params).map(([key, parameter]): PackParameter => {
    const { type, default: fallback, enum: choices } = parameter;
    return { name: key, type, default: fallback, enum: choices, where: locateKey(document, ['params', key]) };
  });
  const { value } = document;
  return {
    name,
    document,
    parameters: new Map(parameters.map((parameter) => [parameter.name, parameter])),
    phases,
    rules: listOf(objectOf(value)['rules']),
    where: locateValue(document, ['pack']),
  };
}

function checkDefaults({ document, parameters }: Pack): readonly Diagnostic[] {
  return [...parameters.values()].flatMap((parameter) => {
    const path = ['params', parameter.name, 'default'];
    const secret = checkPlainSecret({ document, path, name: parameter.name, value: parameter.default });
    if (secret.length > 0) {
      return secret;
    }
    const { default: fallback } = parameter;
    const instead = `remove the default, and give the value where the pack is used: \`with: { ${parameter.name}: … }\``;
    const problem = fallback === undefined ? undefined : defaultProblem(parameter, fallback, instead);
    return problem === undefined
      ? []
      : [
          finding('pack/wrong-default', {
            message: `the default of \`${parameter.name}\` ${problem.message}`,
            hint: problem.hint,
            where: locateValue(document, path),
          }),
        ];
  });
}

function unusedParameters({ document, parameters, rules }: Pack): readonly Diagnostic[] {
  const named = new Set(variablesIn(rules));
  return [...parameters.values()]
    .filter(({ name }) => !named.has(name))
    .map(({ name }) =>
      finding('pack/unused-parameter', {
        message: `no rule of the pack has the parameter \`${name}\``,
        hint: `put \`\${${name}}\` where its value belongs, or remove it`,
        where: locateKey(document, ['params', name]),
      }),
    );
}

/** Maps packs by name; of several with one name the first counts, and the others are reported. */
export function packsByName(packs: readonly Pack[]): {
  readonly packs: ReadonlyMap<string, Pack>;
  readonly diagnostics: readonly Diagnostic[];
} {
  const { firsts, repeats } = repeatsOf(packs, ({ name }) => name);
  const diagnostics = repeats.map(({ item, first }) =>
    finding('pack/duplicate', {
      message: `another pack has the name \`${item.name}\``,
      hint: `the other one is at ${formatPlace(first.where)}; give each its own name`,
      where: item.where,
    }),
  );
  return { packs: firsts, diagnostics };
}
