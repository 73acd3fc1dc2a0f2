import type { Diagnostic } from '../../model/index.ts';
import { finding } from '../source/finding.ts';
import type { Validator } from '../generated/validators.mjs';
import { locateKey, locateValue, pathKey } from '../yaml/yaml-document.ts';
import type { ValuePath, YamlDocument } from '../yaml/yaml-document.ts';
import type { JsonValue } from '../../data/index.ts';
import { counted, slug } from '../../text/index.ts';
import { isJsonObject, listOf, objectOf } from '../../data/index.ts';
import type { ErrorText, SchemaError } from './schema-error.ts';
import { meantKey, describeMissingKey, describeUnknownKey } from './describe-key.ts';
import { param, reduceErrors, schemaErrors, nameOf } from './schema-error.ts';
import { describeEmptyValue, describeType, describeValue } from './describe-value.ts';
import { oneOfThese } from './suggest.ts';

/** Returns what a schema error tells the person who wrote the file. */
export function describeError(error: SchemaError): ErrorText {
  if (error.keyword === 'type' && error.value === null) {
    return describeEmptyValue(error);
  }
  const describe = BY_KEYWORD.get(error.keyword);
  return describe === undefined
    ? { code: 'schema/invalid', message: `${nameOf(error)} is not valid (${error.keyword})` }
    : describe(error);
}

const BY_KEYWORD: ReadonlyMap<string, (error: SchemaError) => ErrorText> = new Map([
  ['additionalProperties', describeUnknownKey],
  ['required', describeMissingKey],
  ['type', describeType],
  ['enum', describeValue],
  ['const', describeValue],
  ['pattern', describePattern],
  ['minLength', describeLength],
  ['maxLength', describeLength],
  ['minimum', (error) => bounds(error, `is ${show(error.value)}, but must be at least ${show(error.rule)}`)],
  ['maximum', (error) => bounds(error, `is ${show(error.value)}, but must be at most ${show(error.rule)}`)],
  ['minItems', (error) => bounds(error, `needs ${counted(Number(error.rule), 'item')}`)],
  ['maxItems', (error) => bounds(error, `takes at most ${counted(Number(error.rule), 'item')}`)],
  ['maxProperties', describeTooManyKeys],
  ['minProperties', describeTooFewKeys],
  ['contains', describeMissingItem],
  ['oneOf', describeAlternatives],
  ['anyOf', describeAlternatives],
  ['not', describeNot],
  ['dependencies', describeDependency],
]);

function describePattern(error: SchemaError): ErrorText {
  const said = error.schema['patternErrorMessage'];
  const name = error.propertyName;
  return {
    code: 'schema/wrong-form',
    message:
      name === undefined
        ? `${nameOf(error)} is ${show(error.value)}, which has the wrong form`
        : `the key \`${name}\` has the wrong form`,
    hint: slugHint(name ?? error.value) ?? (typeof said === 'string' ? said : undefined),
    key: name,
  };
}

/** Suggests the slug of a name, which `custom:Login protection` should have. */
function slugHint(value: JsonValue): string | undefined {
  const [, kind, name] = /^(managed|custom):(.*)$/.exec(typeof value === 'string' ? value : '') ?? [];
  const short = slug(name ?? '');
  return kind === undefined || short === ''
    ? undefined
    : `names are written here in lower case with \`-\` between words: \`${kind}:${short}\``;
}

function describeLength(error: SchemaError): ErrorText {
  if (error.keyword === 'minLength') {
    const said = error.schema['patternErrorMessage'];
    return { ...bounds(error, 'is empty'), hint: typeof said === 'string' ? said : undefined };
  }
  const length = typeof error.value === 'string' ? Array.from(error.value).length : 0;
  return bounds(error, `has ${length} characters, but at most ${show(error.rule)} are allowed`);
}

function describeTooFewKeys(error: SchemaError): ErrorText {
  const known = isJsonObject(error.schema['properties']) ? Object.keys(error.schema['properties']) : [];
  const missing = known.filter((key) => !isJsonObject(error.value) || !Object.hasOwn(error.value, key));
  return {
    code: 'schema/out-of-bounds',
    message: `${nameOf(error)} says nothing yet`,
    hint: missing.length === 0 ? undefined : `give at least one of ${oneOfThese(missing)}`,
  };
}

function describeMissingItem(error: SchemaError): ErrorText {
  const wanted = isJsonObject(error.rule) ? error.rule['const'] : undefined;
  return {
    code: 'schema/missing-item',
    message: `${nameOf(error)} must include ${wanted === undefined ? 'another item' : show(wanted)}`,
    hint: wanted === undefined ? undefined : `add ${show(wanted)} to the list`,
  };
}

function describeAlternatives(error: SchemaError): ErrorText {
  const keys = keysOfBranches(error);
  const given = keys.filter((key) => isJsonObject(error.value) && Object.hasOwn(error.value, key));
  const [, second] = given;
  const name = nameOf(error);
  if (second !== undefined) {
    return {
      code: 'schema/one-of',
      message: `${oneOfThese(given, 'and')} of ${name} are mutually exclusive`,
      hint: `keep one of them`,
      key: second,
    };
  }
  return {
    code: 'schema/one-of',
    message: `${name} needs ${error.keyword === 'oneOf' ? 'exactly' : 'at least'} one of ${oneOfThese(keys, 'and')}`,
  };
}

function describeNot(error: SchemaError): ErrorText {
  const said = error.schema['errorMessage'];
  const keys = requiredKeys(error.rule);
  const inner = listOf(objectOf(error.rule)['anyOf']);
  const present = [...keys, ...inner.flatMap((branch) => requiredKeys(branch))].filter(
    (key) => isJsonObject(error.value) && Object.hasOwn(error.value, key),
  );
  const last = present.at(-1);
  return {
    code: 'schema/not-together',
    message: typeof said === 'string' ? said : `${oneOfThese(present, 'and')} cannot be used together`,
    hint: last === undefined ? undefined : `remove ${oneOfThese(present)}`,
    key: last,
  };
}

function describeDependency(error: SchemaError): ErrorText {
  const property = param(error, 'property');
  const missing = param(error, 'missingProperty');
  return {
    code: 'schema/needs-key',
    message: `\`${property}\` needs \`${missing}\` beside it`,
    hint: `add \`${missing}\`, or remove \`${property}\``,
    key: property,
  };
}

/** Returns the keys that the branches of `oneOf` or `anyOf` require. */
function keysOfBranches({ rule }: SchemaError): readonly string[] {
  return listOf(rule).flatMap((branch) => requiredKeys(branch));
}

function describeTooManyKeys(error: SchemaError): ErrorText {
  const keys = Object.keys(objectOf(error.value));
  return error.rule === 1 && keys.length === 2
    ? {
        code: 'schema/out-of-bounds',
        message: `${oneOfThese(keys, 'and')} of ${nameOf(error)} cannot stand together`,
        hint: 'keep one of them',
      }
    : bounds(error, `takes at most ${counted(Number(error.rule), 'key')}`);
}

function bounds(error: SchemaError, text: string): ErrorText {
  return { code: 'schema/out-of-bounds', message: `${nameOf(error)} ${text}` };
}

function requiredKeys(schema: JsonValue): readonly string[] {
  const required = objectOf(schema)['required'];
  return listOf(required).map(String);
}

function show(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** Returns all findings of a compiled schema in a document, one for each fault, each with its place. */
export function validateDocument<Document>(
  document: YamlDocument,
  validator: Validator<Document>,
): readonly Diagnostic[] {
  return errorsIn(document, validator).map((error) => schemaFinding(error));
}

/** Returns the finding for one schema error. */
export function schemaFinding(error: SchemaError): Diagnostic {
  return toFinding(error, describeError(error));
}

/** Returns the errors of a compiled schema, one for each fault; `part` is the part of the document to validate, where that is not all of it. */
export function errorsIn<Document>(
  document: YamlDocument,
  validator: Validator<Document>,
  part: { readonly path: ValuePath; readonly value: JsonValue } = { path: [], value: document.value },
): readonly SchemaError[] {
  return validator(part.value)
    ? []
    : withoutMistyped(reduceErrors(schemaErrors(validator.errors ?? [], document, part.path))).filter(
        ({ path }) => document.filled?.get(pathKey(path)) !== 'broken',
      );
}

/** Drops errors about a missing key that only a mistyped one causes. */
function withoutMistyped(errors: readonly SchemaError[]): readonly SchemaError[] {
  const meant = new Set(
    errors
      .filter(({ keyword }) => keyword === 'additionalProperties')
      .map((error) => pathKey([...error.path, meantKey(error) ?? ''])),
  );
  const isMeant = (error: SchemaError, key: string): boolean => meant.has(pathKey([...error.path, key]));
  // A rule that uses a pack needs no keys of its own, so a mistyped `use` explains every missing one.
  return errors.filter(
    (error) => !wantedKeys(error).some((key) => isMeant(error, key) || isMeant(error, 'use')),
  );
}

/** Returns the keys that an error calls missing: all are needed, or one of them. */
function wantedKeys(error: SchemaError): readonly string[] {
  switch (error.keyword) {
    case 'required':
      return [param(error, 'missingProperty')];
    case 'oneOf':
    case 'anyOf':
      return keysOfBranches(error);
    default:
      return [];
  }
}

/** Returns the findings for errors outside of the `unasked` paths, in files that `validate --fix` edits, and marks those that it can fix. */
export function fixableFindings(
  errors: readonly SchemaError[],
  unasked: ReadonlySet<string>,
): readonly Diagnostic[] {
  const asked = errors.filter((error) =>
    [error.path, ...wantedKeys(error).map((key) => [...error.path, key])].every(
      (path) => !unasked.has(pathKey(path)),
    ),
  );
  return asked.map((error) => {
    const text = describeError(error);
    const found = toFinding(error, text);
    return text.fixable === undefined ? found : { ...found, fixable: text.fixable };
  });
}

function toFinding(error: SchemaError, { code, message, hint, key }: ErrorText): Diagnostic {
  const path = key === undefined ? error.path : [...error.path, key];
  const atKey = key !== undefined || error.value === null;
  const where = atKey ? locateKey(error.document, path) : locateValue(error.document, path);
  return finding(code, { message, hint, where });
}
