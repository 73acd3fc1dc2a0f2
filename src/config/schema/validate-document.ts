import type { Diagnostic } from '../../model/diagnostic.ts';
import { finding } from '../source/finding.ts';
import type { Validator } from '../generated/validators.mjs';
import { locateKey, locateValue, pathKey } from '../yaml/yaml-document.ts';
import type { ValuePath, YamlDocument } from '../yaml/yaml-document.ts';
import type { JsonValue } from '../../model/json.ts';
import type { ErrorText } from './error-text.ts';
import { describeError, keysOfBranches } from './describe-error.ts';
import { meantKey } from './describe-key.ts';
import type { SchemaError } from './schema-error.ts';
import { param, reduceErrors, schemaErrors } from './schema-error.ts';

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
