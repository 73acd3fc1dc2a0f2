import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isJsonArray, isJsonObject, listOf, objectOf, pointerParts } from '../../data/index.ts';
import type { Validator } from '../generated/validators.mjs';
import type { ValuePath, YamlDocument } from '../yaml/yaml-document.ts';
import type { DiagnosticCode } from '../source/finding.ts';

/** An error of a compiled schema, in the form that messages are made from. */
export interface SchemaError {
  readonly keyword: string;
  /** Path of the value in question. */
  readonly path: readonly string[];
  readonly params: JsonObject;
  /** The schema that holds the keyword. */
  readonly schema: JsonObject;
  /** The value of the keyword. */
  readonly rule: JsonValue;
  /** The value in question. */
  readonly value: JsonValue;
  /** Set when the error is about the name of a key. */
  readonly propertyName?: string;
  readonly document: YamlDocument;
}

/** Converts the errors of a validator for the value at a path. */
export function schemaErrors(
  errors: NonNullable<Validator<unknown>['errors']>,
  document: YamlDocument,
  at: ValuePath = [],
): readonly SchemaError[] {
  return errors.map((error) => {
    const schema = objectOf(error.parentSchema);
    return {
      keyword: error.keyword,
      path: [...at.map(String), ...pointerParts(error.instancePath)],
      params: objectOf(error.params),
      schema,
      rule: schema[error.keyword] ?? null,
      value: json(error.data),
      ...(error.propertyName === undefined ? {} : { propertyName: error.propertyName }),
      document,
    };
  });
}

/** A parameter of the error as text, such as the name of a missing key. */
export function param(error: SchemaError, name: string): string {
  const value = error.params[name];
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** The values that `enum`, `const` or `type` of the schema allow. */
export function allowedBy(error: SchemaError): readonly string[] {
  const allowed = isJsonArray(error.rule) ? error.rule : [error.rule];
  return allowed.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
}

/** Returns how a message names the value: by its key in backquotes, or by its number in a list. */
export function nameOf(error: SchemaError): string {
  const last = error.path.at(-1);
  if (last === undefined) {
    return 'the document';
  }
  return isIndex(last) ? `item ${Number(last) + 1} of \`${error.path.at(-2) ?? ''}\`` : `\`${last}\``;
}

/** Whether a part of a path is the number of a list item. */
export function isIndex(part: string): boolean {
  return /^[0-9]+$/.test(part);
}

/**
 * Reduces errors to one for each fault. The `oneOf` and `anyOf` of these schemas say which keys are needed, so errors of their branches are
 * dropped; `if`, `discriminator` and `propertyNames` only repeat other errors; of several errors about one value, a wrong type is enough. Linear
 * in the number of errors.
 */
export function reduceErrors(errors: readonly SchemaError[]): readonly SchemaError[] {
  const mistyped = new Set(errors.filter(({ keyword }) => keyword === 'type').map((error) => pathKey(error)));
  const empty = new Set(
    errors.filter(({ keyword }) => keyword === 'minLength').map((error) => textKey(error)),
  );
  const branches = new Set(errors.flatMap((error) => branchesOf(error)));
  const kept = errors.filter(
    (error) =>
      !REPEATING.has(error.keyword) &&
      !isLengthOfExpression(error) &&
      !branches.has(error.schema) &&
      (error.keyword === 'type' || !mistyped.has(pathKey(error))) &&
      (error.keyword !== 'pattern' || !empty.has(textKey(error))),
  );
  const once = new Map(
    kept.map((error) => [
      JSON.stringify([error.keyword, error.path, error.propertyName, error.params]),
      error,
    ]),
  );
  return [...once.values()];
}

const REPEATING: ReadonlySet<string> = new Set(['if', 'discriminator', 'propertyNames']);

/** The length of an expression is limited in the schema for editors only; here the rules language reports it. */
function isLengthOfExpression({ keyword, path }: SchemaError): boolean {
  return (
    (keyword === 'minLength' || keyword === 'maxLength') &&
    ['expression', 'counting_expression'].includes(path.at(-1) ?? '')
  );
}

/** Returns the schemas inside an error's keyword whose errors this error replaces. */
function branchesOf({ keyword, rule }: SchemaError): readonly JsonValue[] {
  if (keyword === 'contains') {
    return [rule];
  }
  const listed = keyword === 'oneOf' || keyword === 'anyOf';
  return listed ? listOf(rule) : [];
}

/** Returns a key for the text in question: a value, or the name of a key. */
function textKey({ path, propertyName }: SchemaError): string {
  return JSON.stringify([path, propertyName]);
}

function pathKey({ path }: SchemaError): string {
  return JSON.stringify(path);
}

function json(value: unknown): JsonValue {
  return isJsonObject(value) || Array.isArray(value) || isScalarValue(value) ? value : null;
}

function isScalarValue(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** A finding before its location is known. */
export interface ErrorText {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint?: string | undefined;
  /** The key inside the value that the finding is about; absent when it is about the value itself. */
  readonly key?: string | undefined;
  /** Whether the value can be rewritten to be right without changing what it says. */
  readonly fixable?: true;
}
