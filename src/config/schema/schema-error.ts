import type { ErrorObject } from 'ajv';

import type { JsonObject, JsonValue } from '../../model/json.ts';
import { isJsonArray, isJsonObject } from '../../model/json.ts';
import { pathOfPointer } from '../yaml/yaml-document.ts';
import type { YamlDocument } from '../yaml/yaml-document.ts';

/** What a compiled schema found, in the shape that messages are made of. */
export interface SchemaError {
  readonly keyword: string;
  /** Path of the value in question. */
  readonly path: readonly string[];
  readonly params: JsonObject;
  /** The schema that holds the keyword. */
  readonly schema: JsonObject;
  /** The value of the keyword itself. */
  readonly rule: JsonValue;
  /** The value in question. */
  readonly value: JsonValue;
  /** Set when the error is about the name of a key. */
  readonly propertyName?: string;
  readonly document: YamlDocument;
}

/** Takes over what ajv reports (`verbose`), typed. */
export function schemaErrors(errors: readonly ErrorObject[], document: YamlDocument): readonly SchemaError[] {
  return errors.map((error) => ({
    keyword: error.keyword,
    path: pathOfPointer(error.instancePath),
    params: object(error.params),
    schema: object(error.parentSchema),
    rule: json(error.schema),
    value: json(error.data),
    ...(error.propertyName === undefined ? {} : { propertyName: error.propertyName }),
    document,
  }));
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

/** How a message calls the value: its key in backquotes, or its number in a list. */
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
 * One error for each fault. A failed `oneOf` or `anyOf` of ours says which keys are needed, so what its
 * branches report is dropped; `if`, `discriminator` and `propertyNames` only repeat what others say;
 * of several errors about one value a wrong type tells all.
 */
export function reduceErrors(errors: readonly SchemaError[]): readonly SchemaError[] {
  const kept = errors.filter(
    (error, index) =>
      !REPEATING.has(error.keyword) &&
      !isLengthOfExpression(error) &&
      !errors.some((other, place) => place !== index && covers(other, error)),
  );
  return kept.filter((error, index) => !kept.slice(0, index).some((earlier) => same(earlier, error)));
}

/** How long expressions may be stands in the schema for editors; the rules language says it here. */
function isLengthOfExpression({ keyword, path }: SchemaError): boolean {
  return (
    (keyword === 'minLength' || keyword === 'maxLength') &&
    ['expression', 'counting_expression'].includes(path.at(-1) ?? '')
  );
}

const REPEATING: ReadonlySet<string> = new Set(['if', 'discriminator', 'propertyNames']);

function covers(other: SchemaError, error: SchemaError): boolean {
  if (other.keyword === 'contains') {
    return other.rule === error.schema;
  }
  if (!samePath(other, error)) {
    return false;
  }
  if (other.keyword === 'oneOf' || other.keyword === 'anyOf') {
    const branches = isJsonArray(other.rule) ? other.rule : [];
    return error.keyword === 'required' && branches.includes(error.schema);
  }
  return other.keyword === 'type' && error.keyword !== 'type';
}

function same(a: SchemaError, b: SchemaError): boolean {
  return (
    a.keyword === b.keyword &&
    samePath(a, b) &&
    a.propertyName === b.propertyName &&
    JSON.stringify(a.params) === JSON.stringify(b.params)
  );
}

function samePath(a: SchemaError, b: SchemaError): boolean {
  return a.path.length === b.path.length && a.path.every((part, index) => part === b.path[index]);
}

function object(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function json(value: unknown): JsonValue {
  return isJsonObject(value) || Array.isArray(value) || isScalarValue(value) ? value : null;
}

function isScalarValue(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
