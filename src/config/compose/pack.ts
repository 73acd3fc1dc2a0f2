import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { PackDocument } from '../../model/generated/documents.ts';
import { isJsonArray, isJsonObject, listOf, objectOf } from '../../model/json.ts';
import type { JsonValue } from '../../model/json.ts';
import type { SourceSpan } from '../../model/source.ts';
import { formatPlace } from '../../model/source.ts';
import { finding } from '../source/finding.ts';
import { SCOPE_KEYS } from '../project/file-scopes.ts';
import { validatePack } from '../generated/validators.mjs';
import { validateDocument } from '../schema/validate-document.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';
import type { YamlDocument } from '../yaml/yaml-document.ts';
import { checkPlainSecret } from './plain-secret.ts';
import { argumentProblem } from './variable.ts';
import type { ValueType, VariableValue } from './variable.ts';
import { variablesIn } from './template.ts';
import { repeatsOf } from '../../model/repeats.ts';

/** A parameter of a pack, which a use may set under `with`. */
export interface Parameter {
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
  readonly parameters: ReadonlyMap<string, Parameter>;
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
  const parameters = Object.entries(params).map(([key, parameter]): Parameter => {
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
    const problem =
      parameter.default === undefined ? undefined : argumentProblem(parameter, parameter.default);
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
