import type { Diagnostic } from '../../model/diagnostic.ts';
import { finding } from '../finding.ts';
import type { Validator } from '../generated/validators.mjs';
import { locateKey, locateValue, pathKey } from '../yaml/yaml-document.ts';
import type { YamlDocument } from '../yaml/yaml-document.ts';
import { describeError } from './describe-error.ts';
import type { SchemaError } from './schema-error.ts';
import { reduceErrors, schemaErrors } from './schema-error.ts';

/** All that a compiled schema finds in a document, one finding for each fault, each with its place. */
export function validateDocument<Document>(
  document: YamlDocument,
  validator: Validator<Document>,
): readonly Diagnostic[] {
  if (validator(document.value)) {
    return [];
  }
  return reduceErrors(schemaErrors(validator.errors ?? [], document))
    .filter(({ path }) => document.filled?.get(pathKey(path)) !== 'broken')
    .map((error) => toFinding(error));
}

function toFinding(error: SchemaError): Diagnostic {
  const { code, message, hint, key } = describeError(error);
  const path = key === undefined ? error.path : [...error.path, key];
  const atKey = key !== undefined || error.value === null;
  const where = atKey ? locateKey(error.document, path) : locateValue(error.document, path);
  return finding(code, { message, hint, where });
}
